import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../../decide/undo.js';
import { sameEntry } from '../../model/entry-fields.js';
import type { Cell } from '../../model/cell.js';
import type { Recorder } from '../../record/recorder.js';
import type { UndoPlanner } from './planner.js';
import { storable } from './storable.js';

/**
 * Reverts the changes of an operation to entries that no step of it has touched: options, references, and outputs that
 * the program registered. Their objects are not concerned. References to resources that are not back yet are omitted.
 * The next call adds them. O(V log V).
 */
export function restoreMarks(
  recorder: Recorder,
  planner: UndoPlanner,
  concerned: (entry: ResourceEntry) => boolean,
): void {
  const { live } = recorder;
  for (const { cell, entry } of expectedEntries(live.cells(), planner)) {
    if (sameEntry(entry, cell.entry) || !concerned(cell.entry)) continue;
    const right = storable(live, entry, cell);
    if (sameEntry(right, cell.entry)) continue;
    // A deferred write never happened: the base has the earlier entry.
    if (cell.unwritten && cell.place.t === 'base' && right === entry) live.set(cell, entry, false);
    else recorder.putBack(cell, right);
  }
}

/** Returns the entries for the cells, in the earlier order of the snapshot: references come before an entry. */
function expectedEntries(
  cells: readonly Cell[],
  planner: UndoPlanner,
): readonly { readonly cell: Cell; readonly entry: ResourceEntry }[] {
  const found = cells.flatMap((cell) => {
    const entry = expectedEntry(cell, planner);
    return entry === undefined ? [] : [{ cell, entry, rank: planner.before.rank(entry.urn) }];
  });
  return found.sort((a, b) => a.rank - b.rank);
}

/** Returns the earlier entry, with the present object. */
function expectedEntry({ entry }: Cell, planner: UndoPlanner): ResourceEntry | undefined {
  if (entry.delete || entry.pendingReplacement) return undefined;
  const was = planner.expected(entry.urn, entry.aliases, false);
  if (was === undefined || !isSameObject(was, entry)) return undefined;
  if (!was.custom) return was;
  const { inputs, outputs, initErrors, modified, refreshBeforeUpdate } = entry;
  return withEntry(was, { inputs, outputs, initErrors, modified, refreshBeforeUpdate });
}
