import type { ChangeRecord } from '@cairn/changes';
import { settled } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, newManifest, untypedDeploymentText } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { MessageListener } from '../model/control-message.js';
import type { OperationEnd, OperationLog, OperationReport } from '../model/operation-log.js';
import { rawEntriesOf, entriesOf } from '../model/record-entries.js';
import { JournalBatches } from './journal-batches.js';
import type { JournalBatch } from './journal-batches.js';
import { sentParts } from './sent-change.js';
import type { SentChange } from './sent-change.js';
import { changeName } from '../bucket/layout.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { stateInService, importDeployment } from './service-states.js';
import { SettledCreates } from './settled-creates.js';
import type { UpdateLease } from './update-lease.js';

/**
 * Update that runs. `journaled`: the service takes journal entries; otherwise whole states. `change` is undefined if it
 * keeps no changes. `number` is that of the change, or the version of the stack that the update leaves.
 */
interface RunningUpdate {
  readonly id: StackId;
  readonly lease: UpdateLease;
  readonly number: number;
  readonly change: SentChange | undefined;
  /** Address of the page of the change, if the service has one. */
  readonly page: string | undefined;
  readonly journaled: boolean;
  readonly base: SerializedDeployment;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Operation on a stack of a service: its journal entries are sent, with the records of its change if the service keeps
 * changes. `append` resolves when the service has stored them durably.
 */
export class ServiceOperation implements OperationLog {
  readonly changeId: string;
  readonly page: string | undefined;
  readonly store: OperationLog['store'];
  #ended = false;
  /** Number of journal entries that the service has stored. */
  #acknowledged = 0;
  /** The last records whose ciphertexts are waited for. */
  #settling: Promise<unknown> = Promise.resolve();
  readonly #context: ServiceContext;
  readonly #update: RunningUpdate;
  readonly #batches: JournalBatches;
  readonly #settled: SettledCreates;

  /** Undefined, because an update of the service holds the whole stack. */
  readonly claim = undefined;

  constructor(context: ServiceContext, update: RunningUpdate) {
    this.#context = context;
    this.#update = update;
    this.page = update.page;
    this.changeId = update.change === undefined ? String(update.number) : changeName(update.number);
    this.#settled = new SettledCreates(update.base);
    this.#batches = new JournalBatches(update.journaled ? this.#sendBatch : sendStates(context, update));
    this.store = {
      append: async (records) => this.#append(records),
      later: (run) => void setImmediate(run),
      load: () => Promise.reject(new BugError('the records of an operation are read from the service')),
    };
  }

  /** Hears nothing if the service keeps no changes. A cancelled operation learns of it with its next step. */
  onMessage(listener: MessageListener): void {
    if (!this.#ended) this.#update.change?.onMessage(listener);
  }

  /** Does nothing: the service has every entry already. */
  async writeThrough(): Promise<void> {}

  async finish(end: OperationEnd): Promise<OperationReport> {
    const { lease, change } = this.#update;
    if (this.#ended) throw new BugError('an operation ends once');
    this.#ended = true;
    try {
      await change?.stop();
      const failure = await this.#batches.flushed().then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
      await lease.call('addEvents', { events: [this.#summary(end)] }).catch(() => undefined);
      const succeeded = failure === undefined && end.result === 'succeeded';
      await lease.call('completeUpdate', {
        status: succeeded ? 'succeeded' : 'failed',
        ...(change !== undefined && {
          change: change.endOf(failure === undefined ? end : FAILED, this.#acknowledged),
        }),
      });
      if (failure !== undefined) throw failure.thrown;
      return { diagnostics: await this.#removeSettled() };
    } finally {
      lease.end();
    }
  }

  async abandon(): Promise<void> {
    await this.finish(FAILED);
  }

  async #append(records: readonly ChangeRecord[]): Promise<void> {
    if (this.#ended) throw new BugError('append to the journal of an operation that has ended');
    if (this.#update.lease.lost !== undefined) throw this.#update.lease.lost;
    const ready = await this.#settledInOrder(records);
    await this.#batches.add(this.#partsOf(ready));
    this.#update.change?.note(ready);
  }

  /** Returns records with every ciphertext in them, in the order of the appends. */
  #settledInOrder(records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> {
    const ready = Promise.all([settled(records), this.#settling]).then(([each]) => each);
    this.#settling = ready.catch(() => undefined);
    return ready;
  }

  #partsOf(records: readonly ChangeRecord[]): readonly JournalBatch[] {
    if (this.#update.change !== undefined) return sentParts(records);
    const entries = rawEntriesOf(records);
    const sent = this.#update.journaled ? this.#settled.sift(entries) : entries;
    return sent.map((entry) => ({ entries: [JSON.stringify(entry)], records: [] }));
  }

  /** Removes creates from the state that were found to be not done. */
  async #removeSettled(): Promise<readonly Diagnostic[]> {
    const { id } = this.#update;
    if (!this.#settled.any) return [];
    const state = await stateInService(this.#context, id);
    const without = state && this.#settled.without(state);
    return without === undefined ? [] : importDeployment(this.#context, id, without);
  }

  readonly #sendBatch = async ({ entries, records }: JournalBatch): Promise<void> => {
    const more = this.#update.change === undefined ? '' : `,"records":[${records.join(',')}]`;
    await this.#update.lease.call('journalEntries', `{"entries":[${entries.join(',')}]${more}}`);
    this.#acknowledged += entries.length;
  };

  /** Event from which the history takes the counts of steps. */
  #summary({ result, resourceChanges }: OperationEnd): object {
    const now = this.#context.now().getTime();
    return {
      sequence: 0,
      timestamp: Math.floor(now / 1000),
      summaryEvent: {
        maybeCorrupt: false,
        durationSeconds: Math.floor((now - this.#update.startedAt) / 1000),
        resourceChanges,
        PolicyPacks: {},
        isPreview: false,
        result: result === 'succeeded' ? 'succeeded' : 'failed',
      },
    };
  }
}

/** End of an operation without a result. */
const FAILED: OperationEnd = { result: 'failed', resourceChanges: {} };

/** Returns a function that sends the whole state after entries, for a service that takes no entries. */
function sendStates(
  { now, version }: ServiceContext,
  { base, lease }: RunningUpdate,
): (batch: JournalBatch) => Promise<void> {
  const source = 'of this operation';
  const replayer = new Replayer(base, source);
  return async ({ entries }) => {
    const record = { record: 'entry', entry: entries.map((entry) => JSON.parse(entry) as unknown) } as const;
    for (const entry of entriesOf([record as ChangeRecord], source)) replayer.add(entry);
    const text = untypedDeploymentText(replayer.generate(newManifest(now(), version)));
    await lease.call('checkpoint', `{"isInvalid":false,${text.trimStart().slice(1)}`);
  };
}
