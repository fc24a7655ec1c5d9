import type { BlobStore } from '@cairn/blobs';
import { decodeSegment } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { getJournalFile } from '../journal/journal-files.js';
import { journalRecords } from '../journal/journal-records.js';
import { JOURNAL_FILES, changeName, layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import type { Timer } from '../../timer.js';
import type { ChangeRow } from '../../model/change-row.js';
import { changeNotFound, changeRow, runningChange } from './read-changes.js';
import type { RecordSource } from './read-changes.js';

/**
 * Interval at which the records of a running change are read, in milliseconds. It is longer where that takes requests
 * over a network.
 */
const FOLLOW_EVERY_MS = { local: 300, remote: 2000 } as const;

/**
 * Reports the records of a change as they come, beginning with the first. Records of one reading are reported together,
 * and never a part of a transaction. Resolves with the row of the change when it is closed, its process is gone, or
 * `signal` is aborted. Fails with `CAIRN-CHANGE-UNKNOWN`, `CAIRN-JOURNAL-CORRUPT`.
 */
export async function followChange(
  source: RecordSource & { readonly timer: Timer },
  id: StackId,
  number: number,
  onRecords: (records: readonly ChangeRecord[]) => void,
  signal: AbortSignal,
): Promise<ChangeRow> {
  const { store } = source;
  const directory = layout.journalOf(id, changeName(number));
  const operation = await getJournalFile(store, directory, 'operation');
  if (operation === undefined) throw changeNotFound(id, number);
  const tail = new Tail(store, directory);
  for (;;) {
    // Checked before the records are read: if the change has ended by then, its records are complete.
    const sealed = await getJournalFile(store, directory, 'sealed');
    const running = (await runningChange(source, id))({ operation, sealed });
    const records = await tail.more();
    if (records.length > 0) onRecords(records);
    if (!running || signal.aborted) return changeRow(source, id, number);
    await pause(source, signal);
  }
}

/** Growing end of a segment. Bytes before the last whole transaction are read once where the store can do so. */
class Tail {
  #offset = 0;
  #seq = 1;
  readonly #store: BlobStore;
  readonly #directory: string;
  readonly #key: string;

  constructor(store: BlobStore, directory: string) {
    this.#store = store;
    this.#directory = directory;
    this.#key = directory + JOURNAL_FILES.segment;
  }

  async more(): Promise<readonly ChangeRecord[]> {
    const bytes = await this.#bytes();
    if (bytes.length === 0) return this.#offset > 0 ? [] : this.#moreServed();
    const { records, goodBytes } = decodeSegment(bytes, { name: this.#key, firstSeq: this.#seq });
    this.#offset += goodBytes;
    this.#seq += records.length;
    return records;
  }

  /** Returns the records that came to a journal of a state service. It has no bytes in its segment. */
  async #moreServed(): Promise<readonly ChangeRecord[]> {
    const { records } = await journalRecords(this.#store, this.#directory);
    const more = records.slice(this.#seq - 1);
    this.#seq += more.length;
    return more;
  }

  async #bytes(): Promise<Uint8Array> {
    const store = this.#store;
    const key = this.#key;
    const offset = this.#offset;
    if (store.getFrom !== undefined) return (await store.getFrom(key, offset)) ?? new Uint8Array();
    return (await store.get(key))?.bytes.subarray(offset) ?? new Uint8Array();
  }
}

function pause(
  { store, timer }: { readonly store: BlobStore; readonly timer: Timer },
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = timer.after(FOLLOW_EVERY_MS[store.remote === true ? 'remote' : 'local'], done);
    signal.addEventListener('abort', done);
  });
}
