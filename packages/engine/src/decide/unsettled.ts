import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Goal } from '../model/goal.js';
import type { Step } from '../model/step.js';
import { eachReference } from '../prior/references.js';

/**
 * What has to wait while nobody knows what became of some steps: the resources that they were about, and whatever would take away
 * what these may be built on. Everything else of an operation goes on (changes.md g.5).
 */
export interface Unsettled {
  /** Resources that the steps were about. */
  readonly urns: ReadonlySet<Urn>;
  /** These, and everything they refer to, one through the other. */
  readonly needed: ReadonlySet<Urn>;
}

/** Nothing is in doubt. */
export const SETTLED: Unsettled = { urns: new Set(), needed: new Set() };

/** `resources`: what the steps were to make or alter; `entryOf`: what the state has. O(what they refer to). */
export function unsettled(
  resources: readonly ResourceEntry[],
  entryOf: (urn: Urn) => ResourceEntry | undefined,
): Unsettled {
  if (resources.length === 0) return SETTLED;
  const urns = new Set(resources.map(({ urn }) => urn));
  const needed = new Set(urns);
  const queue = [...resources];
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    eachReference(entry, (urn) => {
      if (needed.has(urn)) return;
      needed.add(urn);
      const found = entryOf(urn);
      if (found !== undefined) queue.push(found);
    });
  }
  return { urns, needed };
}

/** The resource in doubt that a registration is about, under its own name or a former one. */
export function doubtAbout({ urns }: Unsettled, goal: Pick<Goal, 'urn' | 'aliases'>): Urn | undefined {
  if (urns.size === 0) return undefined;
  return [goal.urn, ...goal.aliases].find((urn) => urns.has(urn));
}

/** These resources and every entry that refers to one of them, one through the other. O(entries + references). */
export function builtOn(
  urns: ReadonlySet<Urn>,
  ...entries: readonly (readonly ResourceEntry[])[]
): ReadonlySet<Urn> {
  const users = new Map<Urn, Urn[]>();
  for (const entry of entries.flat())
    eachReference(entry, (urn) => {
      const known = users.get(urn);
      if (known === undefined) users.set(urn, [entry.urn]);
      else known.push(entry.urn);
    });
  const found = new Set(urns);
  for (const urn of found) for (const user of users.get(urn) ?? []) found.add(user);
  return found;
}

/** What a step would take away although something in doubt may be built on it. */
export function takesAwayNeeded({ needed }: Unsettled, chain: readonly Step[]): Urn | undefined {
  if (needed.size === 0) return undefined;
  return chain.find((step) => isRemoval(step) && needed.has(step.urn))?.urn;
}

function isRemoval(step: Step): boolean {
  return 'leavesPending' in step || step.kind === 'remove-pending-replace';
}
