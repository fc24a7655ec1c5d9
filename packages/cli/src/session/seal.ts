import type { ChangeRecord, ChangeStore } from '@cairn/changes';
import type { Crypter } from '@cairn/crypters';
import { encodeJournalEntry } from '@cairn/state';
import type { JournalEntry } from '@cairn/state';

/**
 * A store that seals the journal entries of records before they reach the real one. The crypter may still be unlocking when the
 * first records come: they wait for it, in order. Records of one turn of the event loop are sealed and stored together.
 */
export function sealingStore(store: ChangeStore, crypter: Promise<Crypter>): ChangeStore {
  let unlocked: Crypter | undefined;
  let before: Promise<unknown> = Promise.resolve();
  return {
    append(records) {
      if (unlocked !== undefined) return store.append(sealAll(records, unlocked));
      const turn = Promise.all([crypter, before]).then(([opened]) => {
        unlocked = opened;
        return { done: store.append(sealAll(records, opened)) };
      });
      before = turn.catch(() => undefined);
      return turn.then(({ done }) => done);
    },
    later: (run) => void setImmediate(run),
    load: () => store.load(),
  };
}

function sealAll(records: readonly ChangeRecord[], crypter: Crypter): readonly ChangeRecord[] {
  return records.map((record) =>
    'entry' in record && record.entry !== undefined
      ? { ...record, entry: encodeJournalEntry(record.entry as JournalEntry, crypter) }
      : record,
  );
}
