import type { Urn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ResourceEntry } from '@cairn/state';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { Slot } from '../model/slot.js';
import { remove, removePendingReplace, removeReplaced } from '../model/make-step.js';
import type { Reason } from '../model/reason.js';
import type { DeleteStep, Step } from '../model/step.js';
import { deleteLimits, deletesUntargeted, neededBy } from './delete-limits.js';
import type { ScopeFacts } from './facts.js';

/** What the final phase looks at. */
export interface DeleteFacts {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly view: RunView;
  readonly scope: ScopeFacts;
  /** Everything goes, registered or not. */
  readonly destroy: boolean;
  /** Protected entries may go [DEL-4]. */
  readonly ignoreProtect: boolean;
  /** Entries that stay because their resource failed or was skipped in this run: what they need must stay too. */
  readonly failed: readonly Slot[];
  /** Entries that were registered and stay because they are out of scope. */
  readonly untouched: readonly Slot[];
}

/** Steps of the final phase, and what speaks against others. */
export interface Deletes {
  readonly steps: readonly Step[];
  /** Entries out of scope that had no step so far and stay as they are, in snapshot order. */
  readonly stays: readonly Slot[];
  /**
   * Protected resources that should go, with their errors [DEL-4]; none stops the others. Their delete is never carried
   * out.
   */
  readonly guarded: readonly Guarded[];
  /** What else the user should know. */
  readonly notes: readonly Diagnostic[];
  /** Deletes that the targets do not cover, and that this ends the run: a real run then deletes nothing at all. */
  readonly untargeted: readonly Diagnostic[];
}

/** A delete that protection prevents. */
export interface Guarded {
  readonly step: DeleteStep;
  readonly error: Diagnostic;
}

/**
 * Chooses what the final phase deletes [DEL-2] [DEL-4] [TGT-9]: pending deletes,
 * pending replacements nobody registered, and entries nobody registered. O(V+E).
 */
export function selectDeletes(facts: DeleteFacts): Deletes {
  const { entries, view, ignoreProtect } = facts;
  const limits = deleteLimits(facts);
  const allowed = entries.slots.filter((slot) => isLeaving(facts, slot) && limits.covers(slot));
  const untargeted = allowed.filter((slot) => limits.isDragged(slot));
  const guarded = ignoreProtect ? [] : allowed.filter((slot) => isProtected(slot));
  const leaving = new Set(allowed);
  const roots = [...guarded, ...facts.failed, ...facts.untouched.filter((slot) => !leaving.has(slot))];
  const kept = neededBy(entries, roots);
  const going = allowed.filter((slot) => !kept.has(slot));
  const urns = new Set<Urn>(going.map((slot) => slot.entry.urn));
  const goesToo = (urn: Urn) => urns.has(urn);
  const hasNoStep = (slot: Slot) =>
    !slot.gone &&
    slot.entry.viewOf === undefined &&
    !view.isMatched(slot) &&
    !view.isKept(slot) &&
    view.progress(slot.entry.urn) === undefined;
  return {
    steps: going.map((slot) => deleteStep(facts, slot, goesToo)),
    stays: entries.slots.filter((slot) => !limits.covers(slot) && !slot.entry.delete && hasNoStep(slot)),
    guarded: guarded.map((slot) => ({
      step: remove(slot, leavingReason(facts, slot.entry), goesToo),
      error: protectedError(slot),
    })),
    notes: entries.slots.filter((slot) => limits.names(slot) && isHeldBack(facts, slot)).map(stillNeeded),
    untargeted: untargeted.length === 0 ? [] : [...untargeted.map(untargetedError), deleteUntargeted()],
  };
}

/**
 * Nobody wants the entry any more. One that had to be kept for an entry out of scope stays. Views follow their owner.
 */
function isLeaving({ destroy, view }: DeleteFacts, slot: Slot): boolean {
  if (slot.gone || slot.entry.viewOf !== undefined) return false;
  if (slot.entry.delete || destroy) return true;
  if (view.isMatched(slot)) return false;
  return slot.entry.pendingReplacement || !view.isKept(slot);
}

/** A target that nobody registers, and that an entry out of scope needs. */
function isHeldBack({ destroy, view }: DeleteFacts, slot: Slot): boolean {
  return !destroy && !slot.gone && view.isKept(slot) && !view.isMatched(slot);
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

function stillNeeded(slot: Slot): Diagnostic {
  const { urn } = slot.entry;
  return warningDiagnostic(
    'CAIRN-TARGET',
    `${urn} is not deleted: a resource outside the --target list needs it`,
    { urn, hint: 'Add the resources that depend on it to the targets, or run without --target.' },
  );
}

function untargetedError(slot: Slot): Diagnostic {
  return deletesUntargeted(slot.entry.urn);
}

/** The error a real run stops with; the preview goes on to find all of them. */
function deleteUntargeted(): Diagnostic {
  return errorDiagnostic('CAIRN-TARGET', 'delete untargeted resource: nothing is deleted');
}
