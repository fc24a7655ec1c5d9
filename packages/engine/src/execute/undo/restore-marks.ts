import { withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../../decide/undo.js';
import { sameEntry } from '../../model/entry-fields.js';
import type { Slot } from '../../model/slot.js';
import type { Recorder } from '../../record/recorder.js';
import type { UndoBook } from './book.js';
import { storable } from './storable.js';

/**
 * Brings back what an operation has written about resources that no step of it has touched: options, references,
 * outputs that the program registered. Their objects are not concerned. References to what is not back yet are left
 * out; the next call adds them. O(V log V).
 */
export function restoreMarks(
  recorder: Recorder,
  book: UndoBook,
  concerned: (entry: ResourceEntry) => boolean,
): void {
  const { live } = recorder;
  for (const { slot, entry } of aims(live.slots(), book)) {
    if (sameEntry(entry, slot.entry) || !concerned(slot.entry)) continue;
    const right = storable(live, entry, slot);
    if (sameEntry(right, slot.entry)) continue;
    // What was put off was never written: the base has the entry as it was.
    if (slot.unwritten && slot.place.t === 'base' && right === entry) live.set(slot, entry, false);
    else recorder.putBack(slot, right);
  }
}

/** What the seats are to hold, in the order of the snapshot as it was: what an entry refers to comes before it. */
function aims(
  slots: readonly Slot[],
  book: UndoBook,
): readonly { readonly slot: Slot; readonly entry: ResourceEntry }[] {
  const found = slots.flatMap((slot) => {
    const entry = aimOf(slot, book);
    return entry === undefined ? [] : [{ slot, entry, rank: book.before.rank(entry.urn) }];
  });
  return found.sort((a, b) => a.rank - b.rank);
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
