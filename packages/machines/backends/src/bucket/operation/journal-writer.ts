import type { BlobStore, Segment } from '@cairn/blobs';
import { decodeSegment, encodeRecords } from '@cairn/changes';
import type { ChangeRecord } from '@cairn/changes';
import { hasPlaceholders, settled } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import { isTextTooLong } from '@cairn/diagnostics/text-limit';
import { Replayer } from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import { Tally } from '../../model/tally.js';
import { entriesOf, subjectOf } from '../../model/record-entries.js';
import { isLeaseLost } from '../../model/lease-lost.js';
import type { HeldLock } from '../locks/stack-lock.js';

/** Writes the records of an operation, and replays the durable ones. */
export class JournalWriter {
  readonly replayer: Replayer;
  readonly tally = new Tally();
  #ended = false;
  #takenOver = false;
  /** The previous append, done or failed. */
  #last: Promise<unknown> = Promise.resolve();
  /** The last records whose ciphertexts are waited for. */
  #settling: Promise<unknown> | undefined;
  readonly #segment: Segment;
  readonly #lock: HeldLock;

  constructor(deployment: SerializedDeployment, segment: Segment, lock: HeldLock) {
    this.replayer = new Replayer(deployment, segment.key);
    this.#segment = segment;
    this.#lock = lock;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Appends records; their entries count once they are durable, and are the result. If the journal breaks (disk full),
   * ends of steps still count: they have happened, and the checkpoint may yet be writable. Begins do not count, because
   * their steps are not taken.
   *
   * No step begins without the lock, which is checked while the bytes become durable. Once another process has taken
   * over the journal, nothing more is recorded. Entries count in the order in which they were appended, whichever
   * append completes first.
   */
  append(records: readonly ChangeRecord[]): Promise<readonly SerializedJournalEntry[]> {
    const before = this.#last;
    const settling = this.#settled(records);
    const appended =
      settling === undefined
        ? this.#appendAfter(before, records)
        : settling.then((ready) => this.#appendAfter(before, ready));
    this.#last = appended.catch(() => undefined);
    return appended;
  }

  /**
   * Returns the records with every ciphertext in them, in the order of the appends. Returns undefined if they have them
   * and none is waited for.
   */
  #settled(records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> | undefined {
    const before = this.#settling;
    if (before === undefined && !hasPlaceholders(records)) return undefined;
    const settling = Promise.all([settled(records), before?.catch(() => undefined)]).then(([ready]) => ready);
    const waited = settling.finally(() => {
      if (this.#settling === waited) this.#settling = undefined;
    });
    waited.catch(() => undefined);
    this.#settling = waited;
    return settling;
  }

  async #appendAfter(
    before: Promise<unknown>,
    records: readonly ChangeRecord[],
  ): Promise<readonly SerializedJournalEntry[]> {
    if (this.#ended) throw new BugError('append to the journal of an operation that has ended');
    const entries = entriesOf(records, this.#segment.key);
    const begins = entries.some((entry) => entry.kind === 'begin');
    try {
      const bytes = encodeRecords(records, { subjectOf });
      const write = (): Promise<void> => this.#segment.append(bytes).catch(this.#takenAway);
      await (begins ? this.#lock.during(write) : write());
    } catch (thrown) {
      await before;
      const storable = isTextTooLong(thrown)
        ? entriesOf(records.filter(isStorable), this.#segment.key)
        : entries;
      if (!this.#takenOver) this.#replay(storable.filter((entry) => entry.kind !== 'begin'));
      throw thrown;
    }
    await before;
    this.#replay(entries);
    for (const record of records) this.tally.add(record);
    return entries;
  }

  #replay(entries: readonly SerializedJournalEntry[]): void {
    for (const entry of entries) this.replayer.add(entry);
  }

  /**
   * Notes that the journal was taken over. The process that has fenced it has read it: later records are not part of
   * it.
   */
  readonly #takenAway = (thrown: unknown): never => {
    this.#takenOver ||= isLeaseLost(thrown);
    throw thrown;
  };

  async load(store: BlobStore): Promise<readonly ChangeRecord[]> {
    const blob = await store.get(this.#segment.key);
    return decodeSegment(blob?.bytes ?? new Uint8Array(), { name: this.#segment.key }).records;
  }

  /** Refuses records from now on. Call once. */
  end(): void {
    if (this.#ended) throw new BugError('an operation ends once');
    this.#ended = true;
  }

  /** Closes the segment. Appended records are durable, so a failure to close loses nothing. */
  async close(): Promise<void> {
    await this.#segment.close().catch(() => undefined);
  }
}

/** Returns false for a record that is too large. */
function isStorable(record: ChangeRecord): boolean {
  try {
    encodeRecords([record]);
    return true;
  } catch (thrown) {
    if (isTextTooLong(thrown)) return false;
    throw thrown;
  }
}
