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
import { changedReferences, withChangedReferences } from '../graph/change-references.js';
import { entryGraph } from '../graph/entry-graph.js';
import { referenceList } from '../graph/references.js';
import type { EntryReference } from '../graph/references.js';
import { closure } from '../graph/walk.js';
import { ownReference } from '../integrity.js';
import { renameInResource, renameInValues } from '../rename-everywhere.js';
import type { SerializedDeployment, SerializedResource } from '../serialized.js';
import type { StackNames } from './rename-stack.js';
import { refuseUnknown } from './state-edit.js';
import type { EditedEntry, StateEdit } from './state-edit.js';

/** What goes from one stack to another. */
export interface MoveRequest {
  readonly urns: readonly string[];
  /** The components above them as well; without it they come to stand right under the other stack. */
  readonly includeParents: boolean;
  /** The stack they go to. */
  readonly to: StackNames;
  /** An entry's values sealed by the other stack's secrets manager. */
  readonly reseal: (resource: SerializedResource) => SerializedResource;
  /**
   * Whether a provider of the other stack can do for one that is needed: both as they are stored, in their own stack.
   */
  readonly sameProvider: (needed: SerializedResource, there: SerializedResource) => boolean;
}

/** Both states after a move. `arrived`: URNs there of everything that went, by the URN here. */
export interface Move {
  readonly source: StateEdit;
  readonly dest: StateEdit;
  readonly arrived: ReadonlyMap<string, string>;
}

/**
 * Moves resources with everything below them. Providers that they use are copied, unless the other stack has the same;
 * a component above them that still has others below it is copied too. References between what goes and what stays are
 * taken out, each with a warning. What is in the other stack already as the same object is only taken out here, so that
 * a move that was cut short can be made again. Throws `CAIRN-STATE-RESOURCE` when nothing of the kind is there, for
 * providers and the stack itself, when something else has the name there, and when a step on one of them is in doubt.
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

/** A step on it is in doubt: its end would be recorded in the stack that it has left. */
function refusePending({ pendingOperations }: SerializedDeployment, moved: ReadonlySet<string>): void {
  const pending = pendingOperations.filter(({ resource }) => moved.has(resource.urn));
  if (pending.length === 0) return;
  throw cairnError('CAIRN-STATE-RESOURCE', 'a step on a resource that is to be moved is in doubt', {
    causes: pending.map(({ type, resource }) => `${type} ${resource.urn}`),
    hint: 'Run `cairn refresh`, or say what became of it with `cairn change resolve`, then move it.',
  });
}

interface Chosen {
  readonly moved: ReadonlySet<string>;
  readonly copied: ReadonlySet<string>;
}

/** What goes: the named and everything below them; with `includeParents` also what is above. */
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
    // An object cannot be in two stacks: it goes, with all that is below it.
    moved.add(parent.urn);
    for (const child of addChildren(resources, moved)) climb.push(child);
  }
  for (const urn of components) if (moved.has(urn)) components.delete(urn);
  return settleComponents(resources, moved, components);
}

/**
 * A component with nothing else left below it goes; any other is in both stacks. From below, because one that goes
 * empties the one above.
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

/** Everything below what goes, one through the other; what of it did not go before. */
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
 * The providers that what goes needs: which of the other stack's do, and which are added there. `references`: from the
 * old to the new.
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
    `cannot move what uses provider ${needed}: the other stack has provider ${there} with other settings`,
    {
      hint: 'Give one of the two providers the settings of the other, or rename one with `cairn state rename`.',
    },
  );
}

/** Without references: what configured it stays in its stack. */
function copyOfProvider(
  needed: SerializedResource,
  urn: Urn,
  root: Urn,
  { reseal }: MoveRequest,
): SerializedResource {
  const {
    dependencies: _d,
    propertyDependencies: _p,
    deletedWith: _w,
    replaceWith: _r,
    ...rest
  } = reseal(needed);
  const parent = (needed.parent ?? '') === '' ? {} : { parent: root };
  return { ...rest, urn, ...parent };
}

interface Arrival {
  readonly root: Urn;
  readonly arrived: ReadonlyMap<string, string>;
  readonly providers: ReadonlyMap<string, string>;
  readonly reseal: MoveRequest['reseal'];
  readonly notes: Diagnostic[];
}

/** An entry as the other stack has it. */
function arriving(resource: SerializedResource, arrival: Arrival): SerializedResource {
  const { root, arrived, providers, reseal, notes } = arrival;
  const stays = (urn: string): boolean => !arrived.has(urn);
  const lost = lostOf(resource, stays).filter(({ kind }) => kind !== 'provider' && kind !== 'parent');
  if (lost.length > 0)
    notes.push(
      brokenNote(
        resource.urn,
        'which goes, refers to what stays',
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
 * What is new to the other stack. The same object under the same URN is there already; anything else there is in the
 * way.
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
 * The state that is left when entries go to another stack: without them, and without references to them, each with a
 * warning.
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
        'which stays, refers to what goes',
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

/** A parent that is lost is for the caller: what goes gets another one, what stays cannot lose it. */
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
  return warningDiagnostic('CAIRN-STATE-RESOURCE', `${urn}, ${why}: these references are taken out`, {
    causes: [...new Set(lost)],
  });
}

/** Extension blobs and snippets that what arrives names. */
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
