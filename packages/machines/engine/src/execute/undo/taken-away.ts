import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import type { Cell } from '../../model/cell.js';
import type { LiveState } from '../../record/live-state.js';
import type { UndoneChange } from '../../record/recorder.js';

/**
 * What an undo that was cut off leaves in the snapshot, once it is known that it took effect [REC-5]. A removal: what
 * the object had replaced comes back into its place, perhaps created again, or the mark that it has to be created
 * again. `before`: the stack as it was before the lineage; undefined: nobody knows.
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
 * The same for an object that was created again: it takes the cell that was kept for it, or one beside what owns the
 * URN.
 */
export function createdAgainAt(cell: Cell | undefined, entry: ResourceEntry): UndoneChange {
  if (cell === undefined || entry.delete) return { t: 'add', entry };
  return { t: 'place', cell, entry };
}
