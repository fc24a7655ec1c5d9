import type { Urn } from '@cairn/addresses';
import { errorDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import { eachReference } from '../prior/references.js';
import type { Slot } from '../prior/slot.js';
import { remove, removePendingReplace, removeReplaced } from '../steps/make.js';
import type { Reason } from '../steps/reason.js';
import type { Step } from '../steps/step.js';
import type { ScopeFacts } from './facts.js';

/** What the final phase looks at. */
export interface DeleteFacts {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly view: RunView;
  readonly scope: ScopeFacts;
  /** Everything goes, registered or not. */
  readonly destroy: boolean;
  /** Entries that stay because their resource failed or was skipped in this run: what they need must stay too. */
  readonly failed: readonly Slot[];
  /** Entries that stay because they are out of scope: what they need cannot go, and that is said. */
  readonly untouched: readonly Slot[];
}

/** Steps of the final phase, and what speaks against others. */
export interface Deletes {
  readonly steps: readonly Step[];
  /** One per protected resource that should go: they do not stop the others (A13). */
  readonly refusals: readonly Diagnostic[];
  /** Deletes that the targets do not cover: a real run then deletes nothing at all. */
  readonly untargeted: readonly Diagnostic[];
}

/**
 * Chooses what the final phase deletes (engine-behaviours-1.md A12, A13; engine-behaviours-2.md A4): pending deletes,
 * pending replacements nobody registered, and entries nobody registered. O(V+E).
 */
export function selectDeletes(facts: DeleteFacts): Deletes {
  const leaving = facts.entries.slots.filter((slot) => isLeaving(facts, slot));
  const { allowed, untargeted } = withinTargets(facts, leaving);
  const guarded = allowed.filter((slot) => isProtected(slot));
  const needed = neededBy(facts.entries, facts.untouched);
  const kept = neededBy(facts.entries, [...guarded, ...facts.failed]);
  const going = allowed.filter((slot) => !kept.has(slot) && !needed.has(slot) && !isProtected(slot));
  const stillNeeded = allowed.filter((slot) => needed.has(slot) && !kept.has(slot));
  const urns = new Set<Urn>(going.map((slot) => slot.entry.urn));
  const goesToo = (urn: Urn) => urns.has(urn);
  return {
    steps: going.map((slot) => deleteStep(facts, slot, goesToo)),
    refusals: [...guarded.map(protectedError), ...stillNeeded.map(neededError)],
    untargeted,
  };
}

function isLeaving(facts: DeleteFacts, slot: Slot): boolean {
  if (slot.gone) return false;
  if (slot.entry.delete || facts.destroy) return true;
  return !facts.view.isMatched(slot);
}

function deleteStep(facts: DeleteFacts, slot: Slot, goesToo: (urn: Urn) => boolean): Step {
  const { entry } = slot;
  if (entry.delete) {
    return removeReplaced(slot, { t: facts.view.isMatched(slot) ? 'replaced' : 'left-over' }, goesToo);
  }
  if (entry.pendingReplacement) return removePendingReplace(slot);
  return remove(slot, leavingReason(facts, entry), goesToo);
}

function leavingReason({ destroy }: DeleteFacts, entry: ResourceEntry): Reason {
  if (destroy) return { t: 'destroy' };
  return { t: entry.external ? 'not-read' : 'not-registered' };
}

/** Replaced objects may go even when they are protected: that was decided when they were replaced. */
function isProtected(slot: Slot): boolean {
  return slot.entry.protect && !slot.entry.delete && !slot.entry.pendingReplacement;
}

function protectedError(slot: Slot): Diagnostic {
  const { urn } = slot.entry;
  return errorDiagnostic('CAIRN-RESOURCE-PROTECTED', `cannot delete ${urn}: it is protected`, {
    urn,
    hint: 'Register it with protect set to false and run up, then delete it.',
  });
}

function neededError(slot: Slot): Diagnostic {
  const { urn } = slot.entry;
  return errorDiagnostic(
    'CAIRN-RESOURCE-OPTION',
    `cannot delete ${urn}: a resource outside the --target list needs it`,
    {
      urn,
      hint: 'Add the resources that depend on it to the targets, or run without --target.',
    },
  );
}

/** The given entries and everything they refer to, transitively; stale copies of a URN are not meant. */
function neededBy(entries: PriorEntries, roots: readonly Slot[]): ReadonlySet<Slot> {
  const kept = new Set<Slot>(roots);
  const queue = [...roots];
  for (let slot = queue.pop(); slot !== undefined; slot = queue.pop()) {
    eachReference(slot.entry, (urn) => {
      const needed = entries.live(urn);
      if (needed === undefined || kept.has(needed)) return;
      kept.add(needed);
      queue.push(needed);
    });
  }
  return kept;
}

/** With targets: the leaving entries they name, and everything that depends on those. */
function withinTargets(
  facts: DeleteFacts,
  leaving: readonly Slot[],
): { readonly allowed: readonly Slot[]; readonly untargeted: readonly Diagnostic[] } {
  const { targets, targetDependents } = facts.scope;
  if (!targets.constrained) return { allowed: leaving, untargeted: [] };
  const named = leaving.filter((slot) => targets.names(slot.entry.urn));
  const reached = new Set<Slot>(named);
  const queue = [...named];
  for (let slot = queue.pop(); slot !== undefined; slot = queue.pop()) {
    for (const [dependent] of facts.graph.dependents(slot.entry.urn)) {
      if (reached.has(dependent)) continue;
      reached.add(dependent);
      queue.push(dependent);
    }
  }
  const allowed = leaving.filter((slot) => reached.has(slot));
  const dragged = allowed.filter((slot) => !targets.names(slot.entry.urn));
  return { allowed, untargeted: targetDependents ? [] : dragged.map(untargetedError) };
}

function untargetedError(slot: Slot): Diagnostic {
  const { urn } = slot.entry;
  return errorDiagnostic(
    'CAIRN-RESOURCE-OPTION',
    `Resource '${urn}' will be destroyed but was not specified in --target list.`,
    { urn, hint: 'Either include the resource in the --target list or pass --target-dependents to proceed.' },
  );
}
