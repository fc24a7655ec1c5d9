import type { ChangeRecord } from '@cairn/changes';
import type { ChangeEndRequest } from '@cairn/http-api';
import { listen } from '../bucket/control/listen.js';
import type { Listening } from '../bucket/control/listen.js';
import { changeName, layout } from '../bucket/layout.js';
import type { MessageListener } from '../model/control-message.js';
import type { OperationEnd } from '../model/operation-log.js';
import { rawEntriesOf } from '../model/record-entries.js';
import { withEntries } from '../model/sent-records.js';
import { Tally } from '../model/tally.js';
import type { StackId } from '../stack-id.js';
import type { Timer } from '../timer.js';
import type { JournalBatch } from './journal-batches.js';
import type { RecordFiles } from './record-files.js';

/** Change of a running update, whose records a service keeps. */
export class SentChange {
  readonly #tally = new Tally();
  #listening: Listening | undefined;
  readonly #source: { readonly store: RecordFiles; readonly timer: Timer };
  readonly #directory: string;

  constructor(source: { readonly store: RecordFiles; readonly timer: Timer }, id: StackId, number: number) {
    this.#source = source;
    this.#directory = layout.journalOf(id, changeName(number));
  }

  /** Looks for messages until the change ends. */
  onMessage(listener: MessageListener): void {
    this.#listening = listen(this.#source, this.#directory, listener);
  }

  /** Notes records that are durable. */
  note(records: readonly ChangeRecord[]): void {
    for (const record of records) this.#tally.add(record);
  }

  /** Looks for messages once more, so that the author of a late one learns of it, and then no more. */
  async stop(): Promise<void> {
    await this.#listening?.look();
    this.#listening?.stop();
  }

  /** Returns the end of the change for the service. `entries`: number of journal entries that it has acknowledged. */
  endOf({ result, message, environment, order }: OperationEnd, entries: number): ChangeEndRequest {
    return {
      entries,
      ...{ result, status: this.#tally.status(), tasks: this.#tally.counts() },
      ...(message !== undefined && { message }),
      ...(environment !== undefined && { environment: { ...environment } }),
      ...(order !== undefined && { order: [...order] }),
    };
  }
}

/** Returns the parts of a batch: the records of one transaction belong together, with their entries. */
export function sentParts(records: readonly ChangeRecord[]): readonly JournalBatch[] {
  const parts: JournalBatch[] = [];
  let from = 0;
  for (const [index, record] of records.entries()) {
    if (record.more === true && index < records.length - 1) continue;
    const transaction = records.slice(from, index + 1);
    from = index + 1;
    parts.push({
      entries: rawEntriesOf(transaction).map((entry) => JSON.stringify(entry)),
      records: transaction.map((each) => JSON.stringify(withEntries(each, sequenceOf))),
    });
  }
  return parts;
}

function sequenceOf(entry: unknown): unknown {
  return (entry as { readonly sequenceID: number }).sequenceID;
}
