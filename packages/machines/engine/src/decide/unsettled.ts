import type { Urn } from '@cairn/addresses';
import { closure, eachReference, entryGraph } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Step } from '../model/step.js';

/**
 * Resources that must wait while the outcome of some steps is unknown. These are the resources of those steps, and
 * every step that would remove something on which they may be built. Everything else of an operation continues [REC-3].
 */
export interface Unsettled {
  /** Resources of the steps. */
  readonly urns: ReadonlySet<Urn>;
  /** These resources and, transitively, everything they refer to. */
  readonly needed: ReadonlySet<Urn>;
}

/** State without doubts. */
const SETTLED: Unsettled = { urns: new Set(), needed: new Set() };

/**
 * Collects the unsettled resources. `resources` are the entries that the steps were to make or alter. `entryOf` returns
 * the entry in state. O(their references).
 */
export function unsettled(
  resources: readonly ResourceEntry[],
  entryOf: (urn: Urn) => ResourceEntry | undefined,
): Unsettled {
  if (resources.length === 0) return SETTLED;
  const urns = new Set(resources.map(({ urn }) => urn));
  const direct = new Set(urns);
  for (const entry of resources) eachReference(entry, (urn) => direct.add(urn));
  const needed = closure(direct, (urn, enter) => {
    const entry = urns.has(urn) ? undefined : entryOf(urn);
    if (entry !== undefined) eachReference(entry, enter);
  });
  return { urns, needed };
}

/**
 * Open doubts about steps of earlier operations: none at first, then those that remain after the attempts to resolve
 * them.
 */
export class OpenDoubts {
  #unsettled = SETTLED;

  get unsettled(): Unsettled {
    return this.#unsettled;
  }

  /** Records the doubts that remain after the attempt to resolve them. Parameters as for {@link unsettled}. */
  left(resources: readonly ResourceEntry[], entryOf: (urn: Urn) => ResourceEntry | undefined): void {
    this.#unsettled = unsettled(resources, entryOf);
  }
}

/** Returns the resource in doubt that a registration is about, under its own name or a former one. */
export function doubtAbout({ urns }: Unsettled, { urn, aliases = [] }: Goal | ReadGoal): Urn | undefined {
  if (urns.size === 0) return undefined;
  return [urn, ...aliases].find((each) => urns.has(each));
}

/** Returns these resources and every entry that refers to one of them, transitively. O(entries + references). */
export function builtOn(
  urns: ReadonlySet<Urn>,
  ...entries: readonly (readonly ResourceEntry[])[]
): ReadonlySet<Urn> {
  const graph = entryGraph<ResourceEntry, Urn>(entries.flat(), (entry) => entry);
  return closure(urns, (urn, enter) => graph.dependents(urn).forEach((user) => enter(user.urn)));
}

/** Returns the resource that a step would remove although one in doubt may be built on it. */
export function takesAwayNeeded({ needed }: Unsettled, chain: readonly Step[]): Urn | undefined {
  if (needed.size === 0) return undefined;
  return chain.find((step) => isRemoval(step) && needed.has(step.urn))?.urn;
}

function isRemoval(step: Step): boolean {
  return 'leavesPending' in step || step.kind === 'remove-pending-replace';
}
