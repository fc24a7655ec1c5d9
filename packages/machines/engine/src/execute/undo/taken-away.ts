import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../../model/cell.js';
import type { LiveState } from '../../record/live-state.js';
import type { UndoneChange } from '../../record/recorder.js';

/**
 * Returns the effect of an interrupted undo on the snapshot, once it is known to have taken effect [REC-5]. After a
 * removal, the object that the removed one had replaced returns to its place, perhaps created again. If it is gone, its
 * entry is marked for another create. `before` is the stack before the lineage, or undefined if unknown.
 */
export function takenAway(
  live: LiveState,
  cell: Cell,
  before: readonly ResourceEntry[] | undefined,
): UndoneChange {
  if (cell.entry.delete) return { t: 'gone', cell };
  const { urn } = cell.entry;
  const known = before?.filter((entry) => entry.urn === urn) ?? [];
  const was = known.find((entry) => !entry.delete);
  const cells = live
    .leaving(urn)
    .filter(({ entry }) => !known.some((each) => each.delete && each.id === entry.id));
  const original =
    cells.find(({ entry }) => entry.id === was?.id && entry.created === was.created) ?? cells.at(-1);
  if (original !== undefined) {
    return { t: 'place', cell, entry: withEntry(original.entry, { delete: false }), drop: original };
  }
  if (was === undefined) return { t: 'gone', cell };
  return { t: 'place', cell, entry: withEntry(was, { pendingReplacement: was.custom && !was.external }) };
}

/**
 * Does the same for an object that was created again. It takes the cell that was kept for it, or a new one beside the
 * owner of the URN.
 */
export function createdAgainAt(cell: Cell | undefined, entry: ResourceEntry): UndoneChange {
  if (cell === undefined || entry.delete) return { t: 'add', entry };
  return { t: 'place', cell, entry };
}
