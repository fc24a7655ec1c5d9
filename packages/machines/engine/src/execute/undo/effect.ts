import { unreachable } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { PendingOperationType, ResourceEntry } from '@cairn/state';
import type { Undo } from '../../decide/undo.js';
import type { Cell } from '../../model/cell.js';
import type { UndoneChange } from '../../record/recorder.js';
import type { UndoPlan } from './planner.js';

/** Pending operation that an undo leaves until it has ended. */
export const PENDING_OF_UNDO = {
  nothing: undefined,
  delete: 'deleting',
  forget: undefined,
  update: 'updating',
  write: undefined,
  create: 'creating',
  'put-back': undefined,
  keep: undefined,
} as const satisfies Record<Undo['t'], PendingOperationType | undefined>;

/** Returns the entry that the pending operation names. */
export function pendingEntry(undo: Undo): ResourceEntry | undefined {
  if (undo.t === 'delete') return undo.now;
  if (undo.t === 'update') return undo.was;
  if (undo.t !== 'create') return undefined;
  return withEntry(undo.was, { id: '', pendingReplacement: false, delete: undo.beside });
}

/**
 * Returns the change of the snapshot by an undo. `entry` is the result of carrying it out. `storable` makes an entry
 * fit to be stored in a cell.
 */
export function undoneChange(
  { undo, cell, original }: UndoPlan,
  entry: ResourceEntry | undefined,
  storable: (entry: ResourceEntry, cell: Cell | undefined) => ResourceEntry,
): UndoneChange {
  const present = cell?.gone === true ? undefined : cell;
  switch (undo.t) {
    case 'delete':
    case 'forget':
      if (present === undefined) return { t: 'none' };
      // It still exists.
      if (entry !== undefined) return { t: 'place', cell: present, entry: storable(entry, present) };
      if (undo.leaves === undefined) return { t: 'gone', cell: present };
      return { t: 'place', cell: present, entry: storable(undo.leaves, present), drop: original };
    case 'update':
    case 'write':
      if (present === undefined) return { t: 'none' };
      return { t: 'place', cell: present, entry: storable(entry ?? undo.was, present) };
    case 'create':
    case 'put-back': {
      const back = storable(entry ?? undo.was, undo.beside ? undefined : present);
      if (undo.beside) return { t: 'add', entry: withEntry(back, { delete: true }) };
      return present === undefined ? { t: 'add', entry: back } : { t: 'place', cell: present, entry: back };
    }
    case 'nothing':
    case 'keep':
      return { t: 'none' };
    default:
      return unreachable(undo);
  }
}
