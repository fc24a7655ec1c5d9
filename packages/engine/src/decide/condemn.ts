import { parseProviderReference } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { Slot } from '../prior/slot.js';
import type { Facts } from './facts.js';
import { dependentKey } from './verdict.js';
import type { DependentDiff } from './verdict.js';

/** Entries that must be deleted before the root is, or the questions that are still open. */
export type Condemned =
  | { readonly t: 'ask'; readonly dependents: readonly DependentDiff[] }
  /** In snapshot order, the root not among them. */
  | { readonly t: 'known'; readonly slots: readonly Slot[] };

/**
 * Dependents that a delete-first replacement takes with it, from the old graph (engine-behaviours-1.md A9). The set grows
 * by its own dependents; each round of questions needs the answers of the one before. Entries already processed in this
 * run are left alone. A fresh import has no dependents in the old graph.
 */
export function condemnedBy(facts: Facts, root: Slot): Condemned {
  const members = new Map<Urn, Slot>([[root.entry.urn, root]]);
  const taken = new Set<Slot>([root]);
  const open = new Map<Slot, DependentDiff>();
  const queue: Slot[] = [root];
  for (let member = queue.shift(); member !== undefined; member = queue.shift()) {
    for (const [slot] of facts.graph.dependents(member.entry.urn)) {
      if (taken.has(slot) || !mayBeCondemned(facts, slot)) continue;
      const answer = judge(facts, slot, members, root.entry.urn);
      if (answer === true) {
        taken.add(slot);
        open.delete(slot);
        members.set(slot.entry.urn, slot);
        queue.push(slot);
      } else if (answer !== false) {
        open.set(slot, answer);
      } else {
        open.delete(slot);
      }
    }
  }
  if (open.size > 0) return { t: 'ask', dependents: [...open.values()] };
  taken.delete(root);
  return { t: 'known', slots: inOrder(facts, taken) };
}

function inOrder(facts: Facts, slots: ReadonlySet<Slot>): readonly Slot[] {
  return [...slots].sort((a, b) => facts.entries.position(a) - facts.entries.position(b));
}

function mayBeCondemned(facts: Facts, slot: Slot): boolean {
  const { entry } = slot;
  if (slot.gone || entry.pendingReplacement || entry.external || !entry.custom) return false;
  return !facts.view.isProcessed(slot) && !facts.view.isCondemned(slot);
}

/** True, false, or the question whose answer says so. */
function judge(
  facts: Facts,
  slot: Slot,
  members: ReadonlyMap<Urn, Slot>,
  root: Urn,
): boolean | DependentDiff {
  const { entry } = slot;
  if (entry.provider !== undefined && members.has(parseProviderReference(entry.provider).urn)) return true;
  if (entry.deletedWith !== undefined && members.has(entry.deletedWith)) return true;
  if (entry.replaceWith.includes(root)) return true;
  const keys = dependentInputs(entry, members);
  if (keys.length === 0) return false;
  if (entry.delete) return true;
  return facts.answers.dependents?.get(dependentKey(entry.urn, keys)) ?? { slot, keys };
}

function dependentInputs(entry: ResourceEntry, members: ReadonlyMap<Urn, Slot>): readonly string[] {
  return Object.keys(entry.propertyDependencies).filter((key) =>
    (entry.propertyDependencies[key] ?? []).some((urn) => members.has(urn)),
  );
}
