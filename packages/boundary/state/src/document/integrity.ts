import {
  UNKNOWN_ID,
  childQualifiedType,
  isProviderType,
  isUrn,
  parseProviderReference,
  urnQualifiedType,
} from '@cairn/addresses';
import { errorDiagnostic, messageOf, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { manifestMagic } from './manifest.js';
import type { SerializedDeployment, SerializedResource } from './serialized.js';

/**
 * Side of a check: `read` for a file to be used, `write` for one about to be stored. They differ in two rules [INT-1].
 */
export type IntegritySide = 'read' | 'write';

/** First rule that a deployment breaks, and oddities that are allowed. */
interface IntegrityResult {
  readonly failure: Diagnostic | undefined;
  /** The failure as data. */
  readonly fault: IntegrityFault | undefined;
  readonly warnings: readonly Diagnostic[];
}

/** Ids of the rules, in order of evaluation [INT-1]. */
type IntegrityRule =
  | 'magic'
  | 'urn'
  | 'type'
  | 'component-id'
  | 'provider-referenceable'
  | 'provider-parses'
  | 'provider-known'
  | 'parent'
  | 'dependencies'
  | 'property-dependencies'
  | 'deleted-with'
  | 'replace-with'
  | 'duplicate'
  | 'snippets';

/** Results of a check that are no faults. */
interface Notes {
  /** Oddities that are allowed. */
  readonly warnings: Diagnostic[];
  /** True if something was accepted in a file to be used that is a fault in one about to be stored. */
  isLenient: boolean;
}

/** The pass as the rules see it: entries that came earlier in the list. */
interface Pass {
  readonly side: IntegritySide;
  readonly notes: Notes;
  readonly urns: ReadonlySet<string>;
  readonly providers: ReadonlySet<string>;
  readonly goodReferences: Set<string>;
  readonly index: number;
  readonly last: () => ReadonlyMap<string, number>;
}

interface ResourceRule {
  readonly rule: IntegrityRule;
  readonly number: number;
  /** Returns the problem as a sentence about the resource, or `undefined` if the rule holds. */
  readonly check: (resource: SerializedResource, pass: Pass) => string | undefined;
}

/** Rules about one resource, in order of evaluation: the first failure wins [INT-1]. */
const RESOURCE_RULES: readonly ResourceRule[] = [
  {
    rule: 'urn',
    number: 2,
    check: (resource, pass) =>
      resource.urn === '' ? `resource at index ${pass.index} lacks the required "urn"` : undefined,
  },
  {
    rule: 'type',
    number: 3,
    check: (resource) =>
      resource.type === '' ? `resource ${resource.urn} lacks the required "type"` : undefined,
  },
  {
    rule: 'component-id',
    number: 4,
    check: (resource) =>
      !resource.custom && (resource.id ?? '') !== ''
        ? `resource ${resource.urn} is not custom but has the id ${JSON.stringify(resource.id)}`
        : undefined,
  },
  {
    rule: 'provider-referenceable',
    number: 5,
    check: (resource) => {
      if (!isProviderType(resource.type)) return undefined;
      const problem = referenceProblem(ownReference(resource));
      return problem === undefined ? undefined : `provider ${resource.urn} cannot be referred to: ${problem}`;
    },
  },
  {
    rule: 'provider-parses',
    number: 6,
    check: (resource, pass) => {
      const reference = resource.provider ?? '';
      if (reference === '' || pass.goodReferences.has(reference)) return undefined;
      const problem = referenceProblem(reference);
      if (problem === undefined) pass.goodReferences.add(reference);
      return problem === undefined
        ? undefined
        : `the provider reference of resource ${resource.urn} is wrong: ${problem}`;
    },
  },
  {
    rule: 'provider-known',
    number: 7,
    check: (resource, pass) => {
      const reference = resource.provider ?? '';
      if (reference === '' || resource.pendingReplacement === true || pass.providers.has(reference))
        return undefined;
      return `resource ${resource.urn} refers to unknown provider ${reference}`;
    },
  },
  {
    rule: 'parent',
    number: 8,
    check: (resource, pass) => {
      const parent = resource.parent ?? '';
      if (parent === '' || pass.urns.has(parent)) return undefined;
      return comesLater(parent, pass)
        ? `child resource ${resource.urn}'s parent ${parent} comes after it`
        : `child resource ${resource.urn} refers to missing parent ${parent}`;
    },
  },
  {
    rule: 'dependencies',
    number: 9,
    check: (resource, pass) => {
      const dependency = firstUnseen(resource.dependencies ?? [], pass);
      return dependency === undefined ? undefined : dangling(resource, 'dependency', dependency, pass);
    },
  },
  {
    rule: 'property-dependencies',
    number: 10,
    check: (resource, pass) => {
      const lists = resource.propertyDependencies;
      for (const key in lists) {
        const dependency = firstUnseen(lists[key] ?? [], pass);
        if (dependency !== undefined)
          return dangling(resource, `property dependency (of "${key}")`, dependency, pass);
      }
      return undefined;
    },
  },
  {
    rule: 'deleted-with',
    number: 11,
    check: (resource, pass) => {
      const other = resource.deletedWith ?? '';
      if (other === '' || pass.urns.has(other)) return undefined;
      return `resource ${resource.urn} is said to be deleted with ${other}, which ${lateOrMissing(other, pass)}`;
    },
  },
  {
    rule: 'replace-with',
    number: 12,
    check: (resource, pass) => {
      if (pass.side === 'write') return undefined;
      const other = firstUnseen(resource.replaceWith ?? [], pass);
      return other === undefined
        ? undefined
        : `resource ${resource.urn} is said to be replaced with ${other}, which ${lateOrMissing(other, pass)}`;
    },
  },
];

/**
 * Notes on lists that have no fault on either side. Lists are never altered, so an operation that leaves one as it is
 * need not check it again.
 */
const faultless = new WeakMap<readonly SerializedResource[], Notes>();

/**
 * Checks a deployment against the rules [INT-1] in one pass over its resources; the first failure wins. The failure is
 * an error diagnostic `CAIRN-STATE-INTEGRITY` that names the resource and the reference. Its hint depends on the side.
 */
export function checkIntegrity(deployment: SerializedDeployment, side: IntegritySide): IntegrityResult {
  const { resources } = deployment;
  const notes = faultless.get(resources) ?? { warnings: [], isLenient: false };
  const { warnings } = notes;
  for (const fault of faultsOf(deployment, side, notes))
    return { failure: failureOf(fault, side), fault, warnings };
  // The other rule that differs counts on reading only.
  if (side === 'read' && !notes.isLenient) faultless.set(resources, notes);
  return { failure: undefined, fault: undefined, warnings };
}

/** One broken rule, as a sentence. `urn` is the entry that breaks it, if it is an entry. */
export interface IntegrityFault {
  readonly rule: IntegrityRule;
  /** Number of the rule in the table below. */
  readonly number: number;
  readonly problem: string;
  readonly urn: string | undefined;
}

/** Returns all faults of a deployment that is to be read, in the order of evaluation; for people who repair it. */
export function integrityFaults(deployment: SerializedDeployment): readonly IntegrityFault[] {
  return [...faultsOf(deployment, 'read', { warnings: [], isLenient: false })];
}

/** Yields faults lazily, so that a check stops at the first. Adds to the notes. */
function* faultsOf(
  deployment: SerializedDeployment,
  side: IntegritySide,
  notes: Notes,
): Generator<IntegrityFault> {
  const { manifest } = deployment;
  if (manifest.magic !== manifestMagic(manifest.version)) {
    const problem = `magic cookie mismatch${side === 'read' ? ';' : ':'} possible tampering/corruption detected`;
    yield { rule: 'magic', number: 1, problem, urn: undefined };
  }
  if (!faultless.has(deployment.resources)) {
    yield* resourceFaults(deployment, side, notes);
    yield* duplicateFaults(deployment);
  }
  yield* snippetFaults(deployment);
}

function* resourceFaults(
  { resources }: SerializedDeployment,
  side: IntegritySide,
  notes: Notes,
): Generator<IntegrityFault> {
  const urns = new Set<string>();
  const providers = new Set<string>();
  const goodReferences = new Set<string>();
  const last = lastPositions(resources);
  // By index, because iterators in a generator cost as much as the rules.
  for (let index = 0; index < resources.length; index++) {
    const resource = resources[index] as SerializedResource;
    const pass: Pass = { side, notes, urns, providers, goodReferences, index, last };
    for (let at = 0; at < RESOURCE_RULES.length; at++) {
      const { rule, number, check } = RESOURCE_RULES[at] as ResourceRule;
      const problem = check(resource, pass);
      if (problem !== undefined) yield { rule, number, problem, urn: resource.urn };
    }
    const oddity = typeChainOddity(resource);
    if (oddity !== undefined) notes.warnings.push(oddity);
    urns.add(resource.urn);
    if (isProviderType(resource.type)) providers.add(ownReference(resource));
  }
}

/** Returns the last position of every URN. Computed once there is a fault, because only messages need it. */
function lastPositions(resources: readonly SerializedResource[]): () => ReadonlyMap<string, number> {
  let made: ReadonlyMap<string, number> | undefined;
  return () => (made ??= new Map(resources.map(({ urn }, index) => [urn, index])));
}

/** Rule 8b, which only warns. */
function typeChainOddity({ urn, type, parent }: SerializedResource): Diagnostic | undefined {
  if (parent === undefined || parent === '' || !isUrn(urn) || !isUrn(parent)) return undefined;
  const expected = childQualifiedType(parent, type);
  if (urnQualifiedType(urn) === expected) return undefined;
  return warningDiagnostic(
    'CAIRN-STATE-INTEGRITY',
    `resource ${urn} does not have the type chain ${expected} of its parent`,
    { urn },
  );
}

function* duplicateFaults({ resources }: SerializedDeployment): Generator<IntegrityFault> {
  const live = new Set<string>();
  for (const { urn, delete: pendingDelete } of resources) {
    if (pendingDelete === true) continue;
    if (live.has(urn)) {
      const problem = `duplicate resource ${urn} (not marked for deletion)`;
      yield { rule: 'duplicate', number: 13, problem, urn };
    }
    live.add(urn);
  }
}

function* snippetFaults({ snippets }: SerializedDeployment): Generator<IntegrityFault> {
  const seen = new Map<string, number>();
  const fault = (problem: string): IntegrityFault => ({
    ...{ rule: 'snippets', number: 14 },
    ...{ problem, urn: undefined },
  });
  for (const [index, { uuid }] of snippets.entries()) {
    const other = seen.get(uuid);
    if (uuid === '') yield fault(`snippet at index ${index} lacks the required "uuid"`);
    else if (other !== undefined)
      yield fault(`snippets at indexes ${other} and ${index} have the same uuid ${uuid} (duplicate uuid)`);
    seen.set(uuid, index);
  }
}

const HINTS: Readonly<Record<IntegritySide, string>> = {
  read: 'Nothing was changed. Run `cairn state repair` to explain and repair the state, or pass --disable-integrity-checking to use it as it is.',
  write:
    'The state was written anyway, so nothing recorded is lost. Report this, with the state from `cairn stack export`, and run `cairn state repair` to repair it.',
};

/** Beginnings of failure messages [INT-3]. */
const REFUSALS: Readonly<Record<IntegritySide, string>> = {
  read: 'snapshot integrity failure; refusing to use it',
  write: 'failed to verify snapshot',
};

function failureOf({ number, problem, urn }: IntegrityFault, side: IntegritySide): Diagnostic {
  return errorDiagnostic('CAIRN-STATE-INTEGRITY', `${REFUSALS[side]}: ${problem}`, {
    causes: [`integrity rule ${number}`],
    hint: HINTS[side],
    urn: urn !== undefined && isUrn(urn) ? urn : undefined,
  });
}

/** Returns the reference to a provider's entry; without an id, with the unknown id. */
export function ownReference({ urn, id }: SerializedResource): string {
  return `${urn}::${id === undefined || id === '' ? UNKNOWN_ID : id}`;
}

function referenceProblem(reference: string): string | undefined {
  try {
    parseProviderReference(reference);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/**
 * Returns the first URN that is missing earlier in the list. Empty texts in lists count as missing on the write side
 * only.
 */
function firstUnseen(urns: readonly string[], pass: Pass): string | undefined {
  const missing = urns.find((urn) => !pass.urns.has(urn) && !(urn === '' && pass.side === 'read'));
  if (missing === undefined && urns.includes('')) pass.notes.isLenient = true;
  return missing;
}

/** Tells whether the URN comes later. Only called once there is a fault. */
function comesLater(urn: string, pass: Pass): boolean {
  return (pass.last().get(urn) ?? -1) > pass.index;
}

function lateOrMissing(urn: string, pass: Pass): string {
  return comesLater(urn, pass) ? 'comes after it' : 'is missing';
}

function dangling(resource: SerializedResource, what: string, dependency: string, pass: Pass): string {
  return comesLater(dependency, pass)
    ? `resource ${resource.urn}'s ${what} ${dependency} comes after it`
    : `resource ${resource.urn}'s ${what} refers to missing resource ${JSON.stringify(dependency)}`;
}
