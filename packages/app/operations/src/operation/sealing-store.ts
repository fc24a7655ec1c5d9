import type { ChangeRecord, ChangeStore } from '@cairn/changes';
import type { Crypter } from '@cairn/crypters';
import { encodeJournalEntry } from '@cairn/state';
import type { JournalEntry } from '@cairn/state';
import { maskEntry } from '../masking/mask-secrets.js';
import type { Mask } from '../ports.js';

/**
 * Returns a store that seals the journal entries of records before they reach the real one. The crypter may still be
 * unlocking when the first records come: they wait for it, in order. Records of one turn of the event loop are sealed
 * and stored together. `mask` removes secrets from texts of providers and programs.
 */
export function sealingStore(
  store: ChangeStore,
  crypter: Promise<Crypter>,
  mask: Mask = (text) => text,
): ChangeStore {
  let unlocked: Crypter | undefined;
  let before: Promise<unknown> = Promise.resolve();
  return {
    append(records) {
      if (unlocked !== undefined) return store.append(sealAll(records, unlocked, mask));
      const turn = Promise.all([crypter, before]).then(([opened]) => {
        unlocked = opened;
        return { done: store.append(sealAll(records, opened, mask)) };
      });
      before = turn.catch(() => undefined);
      return turn.then(({ done }) => done);
    },
    later: (run) => void setImmediate(run),
    load: () => store.load(),
  };
}

function sealAll(records: readonly ChangeRecord[], crypter: Crypter, mask: Mask): readonly ChangeRecord[] {
  return records.map((record) => {
    const said = maskSaid(record, mask);
    return 'entry' in said && said.entry !== undefined
      ? { ...said, entry: encodeJournalEntry(masked(said.entry as JournalEntry, mask), crypter) }
      : said;
  });
}

/** Masks others' texts: a task's log, the reason of its outcome or status, and the label of its progress. */
function maskSaid(record: ChangeRecord, mask: Mask): ChangeRecord {
  switch (record.record) {
    case 'log':
      return { ...record, lines: record.lines.map(mask) };
    case 'outcome': {
      const { reason, progress } = record;
      if (reason === undefined && progress === undefined) return record;
      return {
        ...record,
        ...(reason === undefined ? {} : { reason: mask(reason) }),
        ...(progress === undefined ? {} : { progress: { ...progress, label: mask(progress.label) } }),
      };
    }
    case 'status':
      return record.reason === undefined ? record : { ...record, reason: mask(record.reason) };
    default:
      return record;
  }
}

function masked(entry: JournalEntry, mask: Mask): JournalEntry {
  const state = maskEntry(entry.state, mask);
  return state === entry.state ? entry : { ...entry, state };
}
