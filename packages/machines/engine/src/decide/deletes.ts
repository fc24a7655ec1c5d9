import { isDefaultProvider } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { errorDiagnostic, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { RunView } from '../ledger/queries.js';
import type { PriorEntries } from '../prior/entries.js';
import type { PriorGraph } from '../prior/graph.js';
import type { Cell } from '../model/cell.js';
import { deleteStep, removePendingReplace, removeReplaced } from '../model/make-step.js';
import type { Reason } from '../model/reason.js';
import type { DeleteStep, Step } from '../model/step.js';
import { deleteLimits, deletesUntargeted, neededBy } from './delete-limits.js';
import type { DeleteLimits } from './delete-limits.js';
import type { ScopeFacts } from './facts.js';

/** Facts for the final phase. */
export interface DeleteFacts {
  readonly entries: PriorEntries;
  readonly graph: PriorGraph;
  readonly view: RunView;
  readonly scope: ScopeFacts;
  /** True if everything is deleted, registered or not. */
  readonly destroy: boolean;
  /** True if protected entries may be deleted [DEL-4]. */
  readonly ignoreProtect: boolean;
  /** True if the deletion of unregistered entries is refused [DEL-8]. Defaults to false. */
  readonly refusesDeletes?: boolean | undefined;
  /**
   * Entries that stay because their resource failed or was skipped in this run. The entries they need must stay too.
   */
  readonly failed: readonly Cell[];
  /** Entries that were registered and stay because they are out of scope. */
  readonly untouched: readonly Cell[];
}

/** Steps of the final phase, and objections to others. */
interface Deletes {
  readonly steps: readonly Step[];
  /** Entries out of scope that had no step so far and remain unchanged, in snapshot order. */
  readonly stays: readonly Cell[];
  /**
   * Resources to delete that are protected [DEL-4], or whose delete is unexpected [DEL-8], with their errors. None
   * stops the others. Their delete is never carried out.
   */
  readonly guarded: readonly Guarded[];
  /** Other notes for the user. */
  readonly notes: readonly Diagnostic[];
  /**
   * Errors for deletes that the targets do not cover, and the one that ends the run. A real run then deletes nothing at
   * all.
   */
  readonly untargeted: readonly Diagnostic[];
}

/** Refused delete. */
export interface Guarded {
  readonly step: DeleteStep;
  readonly error: Diagnostic;
}

/**
 * Selects the deletes of the final phase [DEL-2] [DEL-4] [TGT-9]: pending deletes, and unregistered entries and pending
 * replacements. O(V+E).
 */
export function selectDeletes(facts: DeleteFacts): Deletes {
  const { entries, view } = facts;
  const limits = deleteLimits(facts);
  const allowed = entries.cells.filter((cell) => isLeaving(facts, cell) && limits.covers(cell));
  const untargeted = allowed.filter((cell) => limits.isDragged(cell));
  const guarded = allowed.filter((cell) => objectionTo(facts, cell) !== undefined);
  const leaving = new Set(allowed);
  const roots = [...guarded, ...facts.failed, ...facts.untouched.filter((cell) => !leaving.has(cell))];
  const kept = neededBy(entries, roots);
  const going = allowed.filter((cell) => !kept.has(cell));
  const urns = new Set<Urn>(going.map((cell) => cell.entry.urn));
  const goesToo = (urn: Urn) => urns.has(urn);
  const hasNoStep = (cell: Cell) =>
    !cell.gone &&
    cell.entry.viewOf === undefined &&
    !view.isMatched(cell) &&
    !view.isKept(cell) &&
    view.progress(cell.entry.urn) === undefined;
  return {
    steps: going.map((cell) => leavingStep(facts, limits, cell, goesToo)),
    stays: entries.cells.filter((cell) => !limits.covers(cell) && !cell.entry.delete && hasNoStep(cell)),
    guarded: guarded.map((cell) => ({
      step: deleteStep(cell, leavingReason(facts, limits, cell), goesToo),
      error: objectionTo(facts, cell) as Diagnostic,
    })),
    notes: entries.cells.filter((cell) => limits.names(cell) && isHeldBack(facts, cell)).map(stillNeeded),
    untargeted: untargeted.length === 0 ? [] : [...untargeted.map(untargetedError), deleteUntargeted()],
  };
}

/**
 * Returns true if the entry is no longer wanted. An entry that had to be kept for one out of scope stays. Views follow
 * their owner.
 */
function isLeaving({ destroy, view }: DeleteFacts, cell: Cell): boolean {
  if (cell.gone || cell.entry.viewOf !== undefined) return false;
  if (cell.entry.delete || destroy) return true;
  if (view.isMatched(cell)) return false;
  return cell.entry.pendingReplacement || !view.isKept(cell);
}

/** Returns true for an unregistered target that an entry out of scope needs. */
function isHeldBack({ destroy, view }: DeleteFacts, cell: Cell): boolean {
  return !destroy && !cell.gone && view.isKept(cell) && !view.isMatched(cell);
}

function leavingStep(
  facts: DeleteFacts,
  limits: DeleteLimits,
  cell: Cell,
  goesToo: (urn: Urn) => boolean,
): Step {
  const { entry } = cell;
  if (entry.delete) {
    return removeReplaced(cell, { t: facts.view.isMatched(cell) ? 'replaced' : 'left-over' }, goesToo);
  }
  if (entry.pendingReplacement) return removePendingReplace(cell);
  return deleteStep(cell, leavingReason(facts, limits, cell), goesToo);
}

function leavingReason({ destroy, scope }: DeleteFacts, limits: DeleteLimits, cell: Cell): Reason {
  if (!destroy) return { t: cell.entry.external ? 'not-read' : 'not-registered' };
  if (scope.targets.constrained) return { t: 'destroy', as: limits.names(cell) ? 'target' : 'dependent' };
  return scope.excludes.constrained ? { t: 'destroy', as: 'rest' } : { t: 'destroy' };
}

/**
 * Returns the objection to a delete. Replaced objects may always be deleted: that was decided when they were replaced.
 */
function objectionTo({ ignoreProtect, refusesDeletes }: DeleteFacts, cell: Cell): Diagnostic | undefined {
  const { entry } = cell;
  if (entry.delete || entry.pendingReplacement) return undefined;
  if (entry.protect && !ignoreProtect) return protectedError(cell);
  const isDelete = !entry.external && !isDefaultProvider(entry.urn);
  return refusesDeletes === true && isDelete ? unexpectedError(cell) : undefined;
}

/** Makes the error for an unexpected delete. External objects and default providers do not count as deletes. */
function unexpectedError(cell: Cell): Diagnostic {
  const { urn } = cell.entry;
  return errorDiagnostic('CAIRN-UNEXPECTED-DELETE', `cannot delete ${urn}: no deletes are expected`, {
    ...{ urn, common: 'cannot delete: no deletes are expected' },
    hint: 'Register it again, or leave --expect-no-deletes out.',
  });
}

function protectedError(cell: Cell): Diagnostic {
  const { urn } = cell.entry;
  return errorDiagnostic('CAIRN-RESOURCE-PROTECTED', `cannot delete ${urn}: it is protected`, {
    ...{ urn, common: 'cannot delete: it is protected' },
    hint: 'Register it with protect set to false and run up, then delete it.',
  });
}

function stillNeeded(cell: Cell): Diagnostic {
  const { urn } = cell.entry;
  return warningDiagnostic(
    'CAIRN-TARGET',
    `${urn} is not deleted: a resource outside the --target list needs it`,
    { urn, hint: 'Add the resources that depend on it to the targets, or run without --target.' },
  );
}

function untargetedError(cell: Cell): Diagnostic {
  return deletesUntargeted(cell.entry.urn);
}

/** Makes the error that stops a real run. A preview continues to find all of them. */
function deleteUntargeted(): Diagnostic {
  return errorDiagnostic('CAIRN-TARGET', 'delete untargeted resource: nothing is deleted');
}
