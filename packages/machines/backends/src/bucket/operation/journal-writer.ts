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
import type { LateSegment } from './late-segment.js';

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
  /** Records before the first step. Undefined once a step was announced, and if all are written at once. */
  #held: readonly ChangeRecord[] | undefined;
  readonly #segment: LateSegment;
  readonly #lock: HeldLock;

  /** `holds`: records that announce no step wait for the first that does, or for the end. */
  constructor(deployment: SerializedDeployment, segment: LateSegment, lock: HeldLock, holds: boolean) {
    this.#held = holds ? [] : undefined;
    this.replayer = new Replayer(deployment, segment.key);
    this.#segment = segment;
    this.#lock = lock;
  }

  /** True once a step was announced. */
  get hasSteps(): boolean {
    return this.#held === undefined;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Appends records; their entries count once they are durable, and are the result. If the journal breaks (disk full),
   * ends of steps still count: they have happened, and the checkpoint may yet be writable. Begins do not count, because
   * their steps are not taken. Without a segment no step has begun, and nothing counts.
   *
   * No step begins without the lock, which is checked while the bytes become durable. Once another process has taken
   * over the journal, nothing more is recorded. Entries count in the order in which they were appended, whichever
   * append completes first.
   *
   * Held records go with the first step. An operation that dies before has done nothing.
   */
  append(added: readonly ChangeRecord[]): Promise<readonly SerializedJournalEntry[]> {
    const before = this.#last;
    const held = this.#held ?? [];
    const records = held.length === 0 ? added : [...held, ...added];
    if (this.#held !== undefined && !this.#ended && records.every(announcesNoStep)) {
      this.#held = records;
      return Promise.resolve([]);
    }
    this.#held = undefined;
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
      if (!this.#takenOver && this.#segment.isOpen)
        this.#replay(storable.filter((entry) => entry.kind !== 'begin'));
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

  async load(): Promise<readonly ChangeRecord[]> {
    return this.#held ?? decodeSegment(await this.#segment.load(), { name: this.#segment.key }).records;
  }

  /** Refuses records from now on. Call once. */
  end(): void {
    if (this.#ended) throw new BugError('an operation ends once');
    this.#ended = true;
  }

  /**
   * Closes the segment. Returns the text that it would have if the operation announced no step: then there is none.
   */
  async close(): Promise<string | undefined> {
    await this.#segment.close();
    const held = await settled(this.#held ?? []);
    return held.length === 0 ? undefined : Buffer.from(encodeRecords(held, { subjectOf })).toString('utf8');
  }
}

const NO_STEP: ReadonlySet<ChangeRecord['record']> = new Set(['change', 'data', 'complete']);

function announcesNoStep({ record }: ChangeRecord): boolean {
  return NO_STEP.has(record);
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
