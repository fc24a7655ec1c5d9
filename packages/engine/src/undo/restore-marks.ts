import type { Urn } from '@cairn/addresses';
import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../decide/undo.js';
import { sameEntry } from '../decide/same-entry.js';
import { withKnownReferences } from '../prior/rebuild.js';
import type { Slot } from '../prior/slot.js';
import type { Recorder } from '../record/recorder.js';
import type { UndoBook } from './undo-book.js';

/**
 * Brings back what an operation has written about resources that no step of it has touched: options, references, outputs that the
 * program registered. Their objects are not concerned. References to what is not back yet are left out; the next call adds them.
 * O(V).
 */
export function restoreMarks(
  recorder: Recorder,
  book: UndoBook,
  concerned: (entry: ResourceEntry) => boolean,
): void {
  const { live } = recorder;
  const known = (urn: Urn) => live.live(urn) !== undefined || live.leaving(urn).length > 0;
  for (const slot of live.slots()) {
    const entry = aimOf(slot, book);
    if (entry === undefined || sameEntry(entry, slot.entry) || !concerned(slot.entry)) continue;
    const right = withKnownReferences(entry, known);
    if (sameEntry(right, slot.entry)) continue;
    // What was put off was never written: the base has the entry as it was.
    if (slot.unwritten && slot.place.t === 'base' && right === entry) live.set(slot, entry, false);
    else recorder.putBack(slot, right);
  }
}

/** The entry as it was, around the object as it is. */
function aimOf({ entry }: Slot, book: UndoBook): ResourceEntry | undefined {
  if (entry.delete || entry.pendingReplacement) return undefined;
  const was = book.aim(entry.urn, entry.aliases, false);
  if (was === undefined || !isSameObject(was, entry)) return undefined;
  if (!was.custom) return was;
  const { inputs, outputs, initErrors, modified, refreshBeforeUpdate } = entry;
  return withEntry(was, { inputs, outputs, initErrors, modified, refreshBeforeUpdate });
}
