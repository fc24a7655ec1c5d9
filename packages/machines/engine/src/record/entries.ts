import type { JournalEntry, PendingOperationType, ResourceEntry } from '@cairn/state';
import type { StatePlace, Cell } from '../model/cell.js';
import type { StepKind } from '../model/step-kinds.js';
import type { Step, StepOf } from '../model/step.js';
import type { LiveState } from './live-state.js';

/** Fields of a journal entry that name the other entries it touches. */
export type Touches = Pick<
  JournalEntry,
  | 'state'
  | 'removeOld'
  | 'removeNew'
  | 'deleteOld'
  | 'deleteNew'
  | 'pendingReplacementOld'
  | 'pendingReplacementNew'
  | 'isRefresh'
>;

/**
 * Type of the pending operation that a begun step leaves in the file format until it ends; `undefined` if it leaves
 * none.
 */
export const BEGIN = {
  same: undefined,
  create: 'creating',
  'create-replacement': 'creating',
  update: 'updating',
  delete: 'deleting',
  'delete-replaced': 'deleting',
  'read-discard': 'deleting',
  'discard-replaced': 'deleting',
  replace: undefined,
  read: 'reading',
  'read-replacement': 'reading',
  refresh: undefined,
  import: 'importing',
  'import-replacement': 'importing',
  'remove-pending-replace': undefined,
} as const satisfies Record<StepKind, PendingOperationType | undefined>;

type End<K extends StepKind> = (
  live: LiveState,
  step: StepOf<K>,
  entry: ResourceEntry | undefined,
  operationId: number,
) => Touches | undefined;

/**
 * Change that the successful end of a step makes to the snapshot: the fields of its journal entry [JRN-2], and the same
 * mutation on the live state. Nothing is written if the result is `undefined`. One deviation: a read that replaces a
 * managed entry marks that entry pending delete instead of removing it. Its object can thus not be lost between the
 * two.
 */
const END: { readonly [K in StepKind]: End<K> } = {
  same: (live, step, entry, id) => moveTo(live, step, entry, id),
  create: (live, _step, entry, id) => add(live, entry, id),
  'create-replacement': (live, step, entry, id) => {
    const touches = displace(live, step.cell);
    return { ...add(live, entry, id), ...touches };
  },
  update: (live, step, entry, id) => moveTo(live, step, entry, id),
  delete: (live, step) => endDelete(live, step),
  'delete-replaced': (live, step) => endDelete(live, step),
  'read-discard': (live, step) => endDelete(live, step),
  'discard-replaced': (live, step) => endDelete(live, step),
  replace: () => undefined,
  read: (live, step, entry, id) =>
    step.cell === undefined ? add(live, entry, id) : moveTo(live, { cell: step.cell }, entry, id),
  'read-replacement': (live, step, entry, id) => beside(live, step, entry, id),
  import: (live, step, entry, id) => beside(live, step, entry, id),
  'import-replacement': (live, step, entry, id) => beside(live, step, entry, id),
  refresh: (live, step, entry, id) => {
    if (entry !== undefined && !staysInPlace(step, entry)) {
      return { ...moveTo(live, step, entry, id), isRefresh: true };
    }
    const touches: Touches = { ...removes(step.cell.place), isRefresh: true };
    if (entry === undefined) {
      live.remove(step.cell);
      return touches;
    }
    live.set(step.cell, entry, false);
    return { ...touches, state: entry };
  },
  'remove-pending-replace': (live, step) => {
    const touches = removes(step.cell.place);
    live.remove(step.cell);
    return touches;
  },
};

/** Applies the end of a step to the live state and returns the fields of its journal entry. */
export function endStep(
  live: LiveState,
  step: Step,
  entry: ResourceEntry | undefined,
  operationId: number,
): Touches | undefined {
  return (END[step.kind] as End<StepKind>)(live, step, entry, operationId);
}

/** Moves the entry from its place to the end of the new ones. */
export function moveTo(
  live: LiveState,
  { cell }: { readonly cell: Parameters<LiveState['move']>[0] },
  entry: ResourceEntry | undefined,
  operationId: number,
): Touches {
  const state = entry ?? cell.entry;
  const touches = { state, ...removes(cell.place) };
  live.move(cell, state, operationId);
  return touches;
}

/**
 * Tells whether the result of a refresh can take the place of the entry: it refers to nothing that the old one did not
 * refer to. A registration may have given it another parent or provider, which may come later. An entry that other
 * steps continue with does not keep its place either: marks are not replayed on an entry that was replaced in its place
 * [JRN-4].
 */
export function staysInPlace({ cell, isFollowed }: StepOf<'refresh'>, found: ResourceEntry): boolean {
  return !isFollowed && found.parent === cell.entry.parent && found.provider === cell.entry.provider;
}

/** Returns the fields that remove the entry at a place from the snapshot. */
export function removes(place: StatePlace): Touches {
  return place.t === 'base' ? { removeOld: place.index } : { removeNew: place.operationId };
}

function add(live: LiveState, entry: ResourceEntry | undefined, operationId: number): Touches {
  if (entry === undefined) return {};
  live.add(entry, operationId);
  return { state: entry };
}

/** Makes room for a new entry: the entry becomes pending delete, or is removed if it no longer has an object. */
function displace(live: LiveState, cell: Cell): Touches {
  if (cell.entry.pendingReplacement) {
    const touches = removes(cell.place);
    live.remove(cell);
    return touches;
  }
  const touches = marksDelete(cell.place);
  live.markDelete(cell);
  return touches;
}

/** Adds a new entry beside the one it replaces, if any. */
function beside(
  live: LiveState,
  step: StepOf<'import' | 'import-replacement' | 'read-replacement'>,
  entry: ResourceEntry | undefined,
  operationId: number,
): Touches {
  if (step.cell === undefined) return add(live, entry, operationId);
  const touches = displace(live, step.cell);
  return { ...add(live, entry, operationId), ...touches };
}

function marksDelete(place: StatePlace): Touches {
  return place.t === 'base' ? { deleteOld: place.index } : { deleteNew: place.operationId };
}

function marksPending(place: StatePlace): Touches {
  return place.t === 'base'
    ? { pendingReplacementOld: place.index }
    : { pendingReplacementNew: place.operationId };
}

function endDelete(
  live: LiveState,
  step: StepOf<'delete' | 'delete-replaced' | 'read-discard' | 'discard-replaced'>,
): Touches {
  if (step.leavesPending) {
    const touches = marksPending(step.cell.place);
    live.markPendingReplacement(step.cell);
    return touches;
  }
  const touches = removes(step.cell.place);
  live.remove(step.cell);
  return touches;
}
