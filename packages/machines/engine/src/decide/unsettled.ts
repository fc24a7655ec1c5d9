import type { Urn } from '@cairn/addresses';
import { closure, eachReference, entryGraph } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Goal, ReadGoal } from '../model/goal.js';
import type { Step } from '../model/step.js';

/**
 * What has to wait while nobody knows what became of some steps: the resources that they were about, and whatever would
 * take away what these may be built on. Everything else of an operation goes on [REC-3].
 */
export interface Unsettled {
  /** Resources that the steps were about. */
  readonly urns: ReadonlySet<Urn>;
  /** These, and everything they refer to, one through the other. */
  readonly needed: ReadonlySet<Urn>;
}

/** Nothing is in doubt. */
const SETTLED: Unsettled = { urns: new Set(), needed: new Set() };

/** `resources`: what the steps were to make or alter; `entryOf`: what the state has. O(what they refer to). */
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

/** What is not known of steps of earlier operations: nothing at first, then what finding out has left open. */
export class OpenDoubts {
  #unsettled = SETTLED;

  get unsettled(): Unsettled {
    return this.#unsettled;
  }

  /** They were asked about. As {@link unsettled}. */
  left(resources: readonly ResourceEntry[], entryOf: (urn: Urn) => ResourceEntry | undefined): void {
    this.#unsettled = unsettled(resources, entryOf);
  }
}

/** The resource in doubt that a registration is about, under its own name or a former one. */
export function doubtAbout({ urns }: Unsettled, { urn, aliases = [] }: Goal | ReadGoal): Urn | undefined {
  if (urns.size === 0) return undefined;
  return [urn, ...aliases].find((each) => urns.has(each));
}

/** These resources and every entry that refers to one of them, one through the other. O(entries + references). */
export function builtOn(
  urns: ReadonlySet<Urn>,
  ...entries: readonly (readonly ResourceEntry[])[]
): ReadonlySet<Urn> {
  const graph = entryGraph<ResourceEntry, Urn>(entries.flat(), (entry) => entry);
  return closure(urns, (urn, enter) => graph.dependents(urn).forEach((user) => enter(user.urn)));
}

/** What a step would take away although something in doubt may be built on it. */
export function takesAwayNeeded({ needed }: Unsettled, chain: readonly Step[]): Urn | undefined {
  if (needed.size === 0) return undefined;
  return chain.find((step) => isRemoval(step) && needed.has(step.urn))?.urn;
}

function isRemoval(step: Step): boolean {
  return 'leavesPending' in step || step.kind === 'remove-pending-replace';
}
