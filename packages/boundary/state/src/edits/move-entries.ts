import {
  ROOT_STACK_TYPE,
  isProviderType,
  isRootStackUrn,
  isUrn,
  makeUrn,
  rootStackUrn,
  urnName,
  urnType,
} from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { CairnError, cairnError, errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { ENTRY_FIELD_LIST } from '../document/entry-fields.js';
import { changedReferences, withChangedReferences } from '../graph/change-references.js';
import { entryGraph } from '../graph/entry-graph.js';
import { referenceList } from '../graph/references.js';
import type { EntryReference } from '../graph/references.js';
import { closure } from '../graph/walk.js';
import { ownReference } from '../document/integrity.js';
import { renameInResource, renameInValues } from '../graph/rename-everywhere.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';
import type { StackNames } from './rename-stack.js';
import { refuseUnknown } from './state-edit.js';
import type { EditedEntry, StateEdit } from './state-edit.js';

/** Resources to move from one stack to another. */
export interface MoveRequest {
  readonly urns: readonly string[];
  /** Moves the components above them as well. Without it the resources become direct children of the other stack. */
  readonly includeParents: boolean;
  /** The target stack. */
  readonly to: StackNames;
  /** Returns an entry with its values sealed by the other stack's secrets manager. */
  readonly reseal: (resource: SerializedResource) => SerializedResource;
  /** Tells whether a provider of the other stack can replace a needed one. Both are as stored, in their own stack. */
  readonly sameProvider: (needed: SerializedResource, there: SerializedResource) => boolean;
}

/** Both states after a move. `arrived` has the new URNs of all moved resources, by the old URN. */
export interface Move {
  readonly source: StateEdit;
  readonly dest: StateEdit;
  readonly arrived: ReadonlyMap<string, string>;
}

/**
 * Moves resources with everything below them. Providers that they use are copied, unless the other stack has the same.
 * A component above them that still has other children is copied too. References between moved and remaining resources
 * are removed, each with a warning. If the other stack already has the same object, it is only deleted here, so that an
 * interrupted move can be repeated.
 *
 * Throws `CAIRN-STATE-RESOURCE` if there is no such resource, for providers and the stack itself, if another resource
 * has the name there, and if a step on one of them is in doubt.
 */
export function moveEntries(
  source: SerializedDeployment,
  dest: SerializedDeployment,
  request: MoveRequest,
): Move {
  refuseUnmovable(source, request.urns);
  const { moved, copied } = chosenEntries(source.resources, request);
  refusePending(source, moved);
  const leaving = source.resources.filter(({ urn }) => moved.has(urn) || copied.has(urn));
  const root = rootStackUrn(request.to.project, request.to.stack);
  const arrived = newUrns(leaving, root, request.to);
  const providers = providersFor(leaving, source, dest, { root, request });
  const notes: Diagnostic[] = [];
  const incoming = leaving.map((resource) =>
    arriving(resource, { root, arrived, providers: providers.references, reseal: request.reseal, notes }),
  );
  const fresh = newcomers(dest, incoming);
  const hasRoot = dest.resources.some((resource) => resource.type === ROOT_STACK_TYPE);
  const rootEntry: SerializedResource = { urn: root, custom: false, type: ROOT_STACK_TYPE };
  const left = withoutMoved(source, moved);
  return {
    arrived: new Map([...arrived].filter(([urn]) => moved.has(urn))),
    source: {
      deployment: left.deployment,
      changed: source.resources
        .filter(({ urn }) => moved.has(urn))
        .map(({ urn }): EditedEntry => ({ what: 'move', urn, to: arrived.get(urn) ?? urn })),
      notes: [...notes, ...left.notes],
    },
    dest: {
      deployment: withExtensions(source, {
        ...dest,
        resources: [...(hasRoot ? [] : [rootEntry]), ...dest.resources, ...providers.added, ...fresh],
      }),
      changed: [...providers.added, ...fresh.filter(({ urn }) => isCopy(urn, copied, arrived))].map(
        ({ urn }): EditedEntry => ({ what: 'copy', urn }),
      ),
      notes: [],
    },
  };
}

function isCopy(urn: string, copied: ReadonlySet<string>, arrived: ReadonlyMap<string, string>): boolean {
  return [...copied].some((each) => arrived.get(each) === urn);
}

function refuseUnmovable({ resources }: SerializedDeployment, urns: readonly string[]): void {
  refuseUnknown(new Set(resources.map(({ urn }) => urn)), urns);
  const problems = urns.flatMap((urn): readonly Diagnostic[] => {
    if (!isUrn(urn)) return [errorDiagnostic('CAIRN-STATE-RESOURCE', `${JSON.stringify(urn)} is not a URN`)];
    if (isRootStackUrn(urn))
      return [errorDiagnostic('CAIRN-STATE-RESOURCE', 'the stack itself cannot be moved', { urn })];
    if (isProviderType(urnType(urn))) {
      return [
        errorDiagnostic('CAIRN-STATE-RESOURCE', `cannot move provider ${urn}`, {
          hint: 'Only resources can be moved; the providers that they use are copied with them.',
        }),
      ];
    }
    return [];
  });
  if (problems.length > 0) throw new CairnError(problems);
}

/**
 * Refuses to move a resource with a step in doubt: the end of the step would be recorded in the stack that it has left.
 */
function refusePending({ pendingOperations }: SerializedDeployment, moved: ReadonlySet<string>): void {
  const pending = pendingOperations.filter(({ resource }) => moved.has(resource.urn));
  if (pending.length === 0) return;
  throw cairnError('CAIRN-STATE-RESOURCE', 'a step on a resource that is to be moved is in doubt', {
    causes: pending.map(({ type, resource }) => `${type} ${resource.urn}`),
    hint: 'Run `cairn refresh`, or record its outcome with `cairn change resolve`, then move it.',
  });
}

interface Chosen {
  readonly moved: ReadonlySet<string>;
  readonly copied: ReadonlySet<string>;
}

/**
 * Returns the entries to move: the named ones and everything below them; with `includeParents` also the entries above.
 */
function chosenEntries(resources: readonly SerializedResource[], request: MoveRequest): Chosen {
  const moved = new Set(request.urns);
  addChildren(resources, moved);
  if (!request.includeParents) return { moved, copied: new Set() };
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const components = new Set<string>();
  const climb = [...moved];
  for (let urn = climb.pop(); urn !== undefined; urn = climb.pop()) {
    const parent = byUrn.get(byUrn.get(urn)?.parent ?? '');
    if (parent === undefined || parent.type === ROOT_STACK_TYPE) continue;
    if (moved.has(parent.urn) || components.has(parent.urn)) continue;
    climb.push(parent.urn);
    if (!parent.custom) {
      components.add(parent.urn);
      continue;
    }
    // An object cannot be in two stacks: it moves, with everything below it.
    moved.add(parent.urn);
    for (const child of addChildren(resources, moved)) climb.push(child);
  }
  for (const urn of components) if (moved.has(urn)) components.delete(urn);
  return settleComponents(resources, moved, components);
}

/**
 * Moves a component with no other remaining children; any other component is in both stacks. Works from below, because
 * a moved component empties the one above.
 */
function settleComponents(
  resources: readonly SerializedResource[],
  moved: Set<string>,
  components: ReadonlySet<string>,
): Chosen {
  const copied = new Set(components);
  for (const { urn } of resources.toReversed()) {
    if (!copied.has(urn)) continue;
    if (resources.some((each) => each.parent === urn && !moved.has(each.urn))) continue;
    copied.delete(urn);
    moved.add(urn);
  }
  return { moved, copied };
}

/** Adds everything below the moved entries, transitively, and returns the URNs that are new. */
function addChildren(resources: readonly SerializedResource[], moved: Set<string>): readonly string[] {
  const children = entryGraph(resources, ({ parent }) => ({ parent }));
  const below = closure(moved, (urn, enter) => children.dependents(urn).forEach((child) => enter(child.urn)));
  const added = [...below].filter((urn) => !moved.has(urn));
  for (const urn of added) moved.add(urn);
  return added;
}

function newUrns(
  leaving: readonly SerializedResource[],
  root: Urn,
  to: StackNames,
): ReadonlyMap<string, string> {
  const arrived = new Map<string, string>();
  for (const { urn, parent, type } of leaving) {
    const above = arrived.get(parent ?? '') ?? root;
    const name = isUrn(urn) ? urnName(urn) : urn;
    arrived.set(urn, makeUrn({ ...to, parent: above as Urn, type, name }));
  }
  return arrived;
}

/**
 * Returns the providers that the moved entries need: those of the other stack that can serve, and those to add there.
 * `references` leads from the old references to the new ones.
 */
function providersFor(
  leaving: readonly SerializedResource[],
  source: SerializedDeployment,
  dest: SerializedDeployment,
  { root, request }: { readonly root: Urn; readonly request: MoveRequest },
): { readonly references: ReadonlyMap<string, string>; readonly added: readonly SerializedResource[] } {
  const references = new Map<string, string>();
  const added: SerializedResource[] = [];
  const known = new Map(source.resources.map((resource) => [ownReference(resource), resource]));
  for (const reference of new Set(leaving.map(({ provider }) => provider ?? ''))) {
    const needed = known.get(reference);
    if (reference === '' || needed === undefined || !isUrn(needed.urn)) continue;
    const urn = makeUrn({ ...request.to, parent: root, type: needed.type, name: urnName(needed.urn) });
    const there = dest.resources.find((resource) => resource.urn === urn && resource.delete !== true);
    if (there !== undefined && !request.sameProvider(needed, there)) throw otherProvider(needed.urn, urn);
    const entry = there ?? copyOfProvider(needed, urn, root, request);
    references.set(reference, ownReference(entry));
    if (there === undefined) added.push(entry);
  }
  return { references, added };
}

function otherProvider(needed: string, there: string): Error {
  return cairnError(
    'CAIRN-STATE-RESOURCE',
    `cannot move the resources of provider ${needed}: the other stack has provider ${there} with other settings`,
    {
      hint: 'Give one of the two providers the settings of the other, or rename one with `cairn state rename`.',
    },
  );
}

/** References of a provider to the resources that configured it, which remain in their stack. */
const CONFIGURED_BY: ReadonlySet<string> = new Set(
  ENTRY_FIELD_LIST.flatMap(({ key, reference }) =>
    reference === undefined || reference === 'parent' || reference === 'provider' ? [] : [key],
  ),
);

/** Returns a copy of a provider for the other stack, below its root. */
function copyOfProvider(
  needed: SerializedResource,
  urn: Urn,
  root: Urn,
  { reseal }: MoveRequest,
): SerializedResource {
  const kept = Object.entries(reseal(needed)).filter(([key]) => !CONFIGURED_BY.has(key));
  const parent = (needed.parent ?? '') === '' ? {} : { parent: root };
  return { ...(Object.fromEntries(kept) as unknown as SerializedResource), urn, ...parent };
}

interface Arrival {
  readonly root: Urn;
  readonly arrived: ReadonlyMap<string, string>;
  readonly providers: ReadonlyMap<string, string>;
  readonly reseal: MoveRequest['reseal'];
  readonly notes: Diagnostic[];
}

/** Returns an entry in the form that the other stack gets. */
function arriving(resource: SerializedResource, arrival: Arrival): SerializedResource {
  const { root, arrived, providers, reseal, notes } = arrival;
  const stays = (urn: string): boolean => !arrived.has(urn);
  const lost = lostOf(resource, stays).filter(({ kind }) => kind !== 'provider' && kind !== 'parent');
  if (lost.length > 0)
    notes.push(
      brokenNote(
        resource.urn,
        'which moves, refers to resources that stay',
        lost.map(({ urn }) => urn),
      ),
    );
  const rename = (urn: string): string => arrived.get(urn) ?? urn;
  const kept = renameInValues(renameInResource(withoutReferences(resource, stays), rename), rename);
  const { aliases: _aliases, provider: _provider, ...rest } = reseal(kept);
  const provider = providers.get(resource.provider ?? '');
  return {
    ...rest,
    parent: arrived.get(resource.parent ?? '') ?? root,
    ...(provider === undefined ? {} : { provider }),
  };
}

/**
 * Returns the entries that are new to the other stack. The same object may already exist there under the same URN; any
 * other entry with that URN is a conflict.
 */
function newcomers(
  dest: SerializedDeployment,
  incoming: readonly SerializedResource[],
): readonly SerializedResource[] {
  const there = new Map<string, SerializedResource[]>();
  for (const resource of dest.resources)
    there.set(resource.urn, [...(there.get(resource.urn) ?? []), resource]);
  const problems: Diagnostic[] = [];
  const live = new Set<string>();
  const fresh = incoming.filter((resource) => {
    const { urn } = resource;
    const twins = there.get(urn) ?? [];
    if (twins.some((each) => (each.id ?? '') === (resource.id ?? '') && each.custom === resource.custom))
      return false;
    if (twins.length > 0) problems.push(inTheWay(urn, `the other stack has another resource ${urn}`));
    if (resource.delete !== true && live.has(urn))
      problems.push(inTheWay(urn, `two of them would be ${urn}`));
    if (resource.delete !== true) live.add(urn);
    return true;
  });
  if (problems.length > 0) throw new CairnError(problems);
  return fresh;
}

function inTheWay(urn: string, why: string): Diagnostic {
  return errorDiagnostic('CAIRN-STATE-RESOURCE', `cannot move the resources: ${why}`, {
    urn: isUrn(urn) ? urn : undefined,
    hint: 'Rename one of the two with `cairn state rename` first.',
  });
}

/**
 * Returns the state that remains when entries move to another stack: without them and without references to them, each
 * removal with a warning.
 */
export function withoutMoved(
  deployment: SerializedDeployment,
  moved: ReadonlySet<string>,
): { readonly deployment: SerializedDeployment; readonly notes: readonly Diagnostic[] } {
  const notes: Diagnostic[] = [];
  const goes = (urn: string): boolean => moved.has(urn);
  const stays = deployment.resources.filter(({ urn }) => !goes(urn));
  const resources = stays.map((resource) => {
    const lost = lostOf(resource, goes);
    if (lost.length === 0) return resource;
    notes.push(
      brokenNote(
        resource.urn,
        'which stays, refers to resources that move',
        lost.map(({ urn }) => urn),
      ),
    );
    return withoutReferences(resource, goes);
  });
  return { deployment: { ...deployment, resources }, notes };
}

function lostOf(resource: SerializedResource, isLost: (urn: string) => boolean): readonly EntryReference[] {
  return referenceList(resource).filter(({ urn }) => isLost(urn));
}

/**
 * Removes references, except to a lost parent, which the caller handles: moved entries get another parent, and
 * remaining ones cannot lose theirs.
 */
function withoutReferences(
  resource: SerializedResource,
  isLost: (urn: string) => boolean,
): SerializedResource {
  const changed = changedReferences(resource, (urn, kind) =>
    kind !== 'parent' && isLost(urn) ? undefined : urn,
  );
  return withChangedReferences(resource, changed);
}

function brokenNote(urn: string, why: string, lost: readonly string[]): Diagnostic {
  return warningDiagnostic('CAIRN-STATE-RESOURCE', `${urn}, ${why}: these references are removed`, {
    causes: [...new Set(lost)],
  });
}

/** Adds extension blobs and snippets that the arriving entries name. */
function withExtensions(source: SerializedDeployment, dest: SerializedDeployment): SerializedDeployment {
  const refs = new Set(dest.resources.map(({ extensionRef }) => extensionRef ?? ''));
  const uuids = new Set(dest.resources.map(({ snippetID }) => snippetID ?? ''));
  const own = new Set(dest.snippets.map(({ uuid }) => uuid));
  return {
    ...dest,
    extensions: {
      ...Object.fromEntries(Object.entries(source.extensions).filter(([ref]) => refs.has(ref))),
      ...dest.extensions,
    },
    snippets: [...dest.snippets, ...source.snippets.filter(({ uuid }) => uuids.has(uuid) && !own.has(uuid))],
  };
}
