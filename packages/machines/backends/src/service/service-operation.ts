import type { ChangeRecord } from '@cairn/changes';
import { settled } from '@cairn/crypters';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer, newManifest, untypedDeploymentText } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import type { OperationEnd, OperationLog, OperationReport } from '../model/operation-log.js';
import { rawEntriesOf, entriesOf } from '../model/record-entries.js';
import { JournalBatches } from './journal-batches.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { stateInService, importDeployment } from './service-states.js';
import { SettledCreates } from './settled-creates.js';
import type { UpdateLease } from './update-lease.js';

/** Update that runs. `journaled`: the service takes journal entries; otherwise whole states. */
interface RunningUpdate {
  readonly id: StackId;
  readonly lease: UpdateLease;
  readonly version: number;
  readonly journaled: boolean;
  readonly base: SerializedDeployment;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/**
 * Operation on a stack of a service that keeps no changes: its journal entries are sent, its other records are not
 * kept. `append` resolves when the service has made the entries durable.
 */
export class ServiceOperation implements OperationLog {
  readonly changeId: string;
  readonly store: OperationLog['store'];
  #ended = false;
  readonly #context: ServiceContext;
  readonly #update: RunningUpdate;
  readonly #batches: JournalBatches;
  readonly #settled: SettledCreates;

  constructor(context: ServiceContext, update: RunningUpdate) {
    this.#context = context;
    this.#update = update;
    this.changeId = String(update.version);
    this.#settled = new SettledCreates(update.base);
    this.#batches = new JournalBatches(update.journaled ? this.#sendEntries : sendStates(context, update));
    this.store = {
      append: async (records) => this.#append(records),
      later: (run) => void setImmediate(run),
      load: () => Promise.reject(new BugError('a service keeps no records of changes')),
    };
  }

  /** Holds the whole stack, so every claim is granted. */
  async claim(): Promise<undefined> {
    return undefined;
  }

  /** Hears nothing: the service passes on no messages. A cancelled operation learns of it with its next step. */
  onMessage(): void {}

  /** Does nothing: the service has every entry already. */
  async writeThrough(): Promise<void> {}

  async finish(end: OperationEnd): Promise<OperationReport> {
    const { lease } = this.#update;
    if (this.#ended) throw new BugError('an operation ends once');
    this.#ended = true;
    try {
      const failure = await this.#batches.flushed().then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
      await lease.call('addEvents', { events: [this.#summary(end)] }).catch(() => undefined);
      const succeeded = failure === undefined && end.result === 'succeeded';
      await lease.call('completeUpdate', { status: succeeded ? 'succeeded' : 'failed' });
      if (failure !== undefined) throw failure.thrown;
      return { diagnostics: await this.#removeSettled() };
    } finally {
      lease.end();
    }
  }

  async abandon(): Promise<void> {
    await this.finish({ result: 'failed', resourceChanges: {} });
  }

  async #append(records: readonly ChangeRecord[]): Promise<void> {
    if (this.#ended) throw new BugError('append to the journal of an operation that has ended');
    if (this.#update.lease.lost !== undefined) throw this.#update.lease.lost;
    const entries = rawEntriesOf(await settled(records));
    const sent = this.#update.journaled ? this.#settled.sift(entries) : entries;
    await this.#batches.add(sent.map((entry) => JSON.stringify(entry)));
  }

  /** Removes creates from the state that were found to be not done. */
  async #removeSettled(): Promise<readonly Diagnostic[]> {
    const { id } = this.#update;
    if (!this.#settled.any) return [];
    const state = await stateInService(this.#context, id);
    const without = state && this.#settled.without(state);
    return without === undefined ? [] : importDeployment(this.#context, id, without);
  }

  readonly #sendEntries = async (entries: readonly string[]): Promise<void> => {
    await this.#update.lease.call('journalEntries', `{"entries":[${entries.join(',')}]}`);
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

/** Returns a function that sends the whole state after entries, for a service that takes no entries. */
function sendStates(
  { now, version }: ServiceContext,
  { base, lease }: RunningUpdate,
): (entries: readonly string[]) => Promise<void> {
  const source = 'of this operation';
  const replayer = new Replayer(base, source);
  return async (entries) => {
    const record = { record: 'entry', entry: entries.map((entry) => JSON.parse(entry) as unknown) } as const;
    for (const entry of entriesOf([record as ChangeRecord], source)) replayer.add(entry);
    const text = untypedDeploymentText(replayer.generate(newManifest(now(), version)));
    await lease.call('checkpoint', `{"isInvalid":false,${text.trimStart().slice(1)}`);
  };
}
