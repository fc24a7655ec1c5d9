import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../../decide/undo.js';
import { builtOn } from '../../decide/unsettled.js';
import type { OpenDoubts } from '../../decide/unsettled.js';
import { sameEntry } from '../../model/entry-fields.js';
import type { Cell } from '../../model/cell.js';
import type { Recorder } from '../../record/recorder.js';
import type { FailureLanes } from '../failure-lanes.js';
import type { UndoPlanner } from './planner.js';
import { storable } from './storable.js';

/** Dependencies of {@link restoreMarks}. */
interface MarkRestoration {
  readonly planner: UndoPlanner;
  readonly recorder: Recorder;
  readonly lanes: FailureLanes;
  readonly doubts: OpenDoubts;
}

/**
 * Reverts the changes of an operation to entries that no step of it has touched: options, references, and outputs that
 * the program registered. Their objects do not change. References to resources that are not back yet are omitted. The
 * next call adds them. Applies to `concerned` entries of failed lanes. O(V log V).
 */
export function restoreMarks(parts: MarkRestoration, concerned: (entry: ResourceEntry) => boolean): void {
  const { recorder, planner, lanes } = parts;
  const { live } = recorder;
  const waits = waitingTest(parts);
  for (const { cell, entry } of expectedEntries(live.cells(), planner)) {
    const { entry: now } = cell;
    if (sameEntry(entry, now)) continue;
    if (!lanes.hasFailed(now.urn) || planner.isKept(now.urn) || waits(now) || !concerned(now)) continue;
    const right = storable(live, entry, cell);
    if (sameEntry(right, now)) continue;
    // A deferred write never happened: the base has the earlier entry.
    if (cell.unwritten && cell.place.t === 'base' && right === entry) live.set(cell, entry, false);
    else recorder.putBack(cell, right);
  }
}

/**
 * Returns a test for entries that are, or were, built on an object that may be gone. No entry refers to it again before
 * it is known to exist.
 */
function waitingTest({ recorder, planner, doubts }: MarkRestoration): (entry: ResourceEntry) => boolean {
  const { urns } = doubts.unsettled;
  if (urns.size === 0) return () => false;
  const waiting = builtOn(urns, [...planner.before.entries()], recorder.live.entries());
  return ({ urn, aliases }) =>
    waiting.has(planner.before.entry(urn, aliases)?.urn ?? urn) || waiting.has(urn);
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
