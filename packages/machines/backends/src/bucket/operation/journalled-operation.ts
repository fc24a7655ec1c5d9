import type { BlobVersion } from '@cairn/blobs';
import type { ChangeRecord, Claim } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import type { SerializedDeployment } from '@cairn/state';
import { unixSeconds } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { leavesRoom } from '../claims/claims.js';
import { Holdings, restingNote } from '../claims/holdings.js';
import { listen } from '../control/listen.js';
import type { Listening } from '../control/listen.js';
import { historyDetail } from '../../model/history-entry.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { foldJournals } from '../journal/fold.js';
import type { FoldMember } from '../journal/fold-plan.js';
import { putJournalFile, removeJournal } from '../journal/journal-files.js';
import type { OperationFile } from '../journal/journal-files.js';
import type { JournalEnd } from '../../model/change-facts.js';
import { Journals } from '../journal/journals.js';
import { layout } from '../layout.js';
import type { ChangeResult } from '../../model/change-result.js';
import { KIND_OF_UPDATE } from '../../model/operation-kind.js';
import { NOTHING_LEFT, leftBeside } from '../recovery/pending-journals.js';
import type {
  OperationEnd,
  OperationLog,
  OperationReport,
  OperationStart,
} from '../../model/operation-log.js';
import { WriteThrough } from './write-through.js';
import type { MessageListener } from '../../model/control-message.js';
import type { CheckpointPace } from '../../backend-ports.js';
import type { OperationBase } from './operation-base.js';
import { JournalWriter } from './journal-writer.js';
import { LateSegment } from './late-segment.js';
import type { NewSegment } from './late-segment.js';
import { explainFailure } from './operation-failure.js';

/**
 * Operation that has got its number on the stack. `fence` is the version of its `operation.json`, `began` its content.
 * `startTime` is in seconds since 1970.
 */
interface Running extends OperationStart {
  readonly number: number;
  readonly fence: BlobVersion;
  readonly began: OperationFile;
  readonly change: string;
  readonly startTime: number;
}

/** Journal of a running operation. */
export class JournalledOperation implements OperationLog {
  readonly changeId: string;
  readonly store: OperationLog['store'];
  readonly claim: OperationLog['claim'];
  readonly #directory: string;
  readonly #writer: JournalWriter;
  #listening: Listening | undefined;
  readonly #holdings: Holdings;
  readonly #through: WriteThrough;
  #claiming: Promise<unknown> = Promise.resolve();
  readonly #context: BackendContext;
  readonly #from: OperationBase;
  readonly #running: Running;

  constructor(context: BackendContext, from: OperationBase, running: Running, segment: NewSegment) {
    this.#context = context;
    this.#from = from;
    this.#running = running;
    this.changeId = running.change;
    this.#directory = layout.journalOf(from.id, running.change);
    this.#holdings = new Holdings(context, from, this.#directory);
    this.claim = leavesRoom(from.claims) ? (claims) => this.#claim(claims) : undefined;
    const { id, base, lock, previous } = from;
    this.#writer = new JournalWriter(
      from.deployment,
      new LateSegment(segment),
      lock,
      !leavesRoom(from.claims),
    );
    const directory = this.#directory;
    const { replayer } = this.#writer;
    const pace = paceOf(context, from, running);
    this.#through = new WriteThrough(context, { id, base, previous, directory, lock, replayer, pace });
    this.store = {
      append: (records) => this.#explaining(async () => this.#append(records)),
      load: () => this.#writer.load(),
    };
  }

  onMessage(listener: MessageListener): void {
    if (!this.#writer.ended) this.#listening = listen(this.#context, this.#directory, listener);
  }

  writeThrough(): Promise<void> {
    return this.#through.interrupted();
  }

  finish(end: OperationEnd): Promise<OperationReport> {
    return this.#explaining(async () => this.#foldOrRest(end).finally(() => this.#listening?.stop()));
  }

  #claim(claims: readonly Claim[]): Promise<Diagnostic | undefined> {
    const claiming = this.#claiming.then(() => this.#holdings.claim(claims));
    this.#claiming = claiming.catch(() => undefined);
    return claiming;
  }

  async #foldOrRest(end: OperationEnd): Promise<OperationReport> {
    const { present, hasBase, records } = await this.#close();
    const looked = await this.#lastLook();
    const history = this.#historyEntry(end);
    const member = { ...this.#memberAs(end.result, history), order: end.order, records };
    const { id, base, previous } = this.#from;
    const beside = await this.#holdings.beside();
    if (beside === 'others') {
      const ended = { lock: this.#context.instance, end: member.end, history };
      await putJournalFile(this.#context.store, this.#directory, 'ended', ended);
      return { diagnostics: [restingNote(this.#running.number)] };
    }
    const left = beside === 'alone' ? await leftBeside(this.#context, id, base, member.number) : NOTHING_LEFT;
    const members = [member, ...left.members].sort((a, b) => a.number - b.number);
    const whole = beside === 'whole' ? looked : undefined;
    const fold = { id, base, present, hasBase, members, previous, looked: whole };
    const { diagnostics } = await foldJournals(this.#context, fold);
    return { diagnostics: [...left.diagnostics, ...diagnostics] };
  }

  /**
   * Looks at the journals after the last record, and delivers messages to this operation. The author of a message that
   * comes at the last moment learns that it came too late.
   */
  async #lastLook(): Promise<Journals> {
    const journals = await Journals.of(this.#context.store, this.#from.id);
    const row = await journals.row(this.#running);
    if (row !== undefined) await this.#listening?.look(row.files);
    return journals;
  }

  /**
   * Ends an edit that succeeded, as {@link finish} does. The state is stored as the person wants it, without a history
   * entry.
   */
  finishEdit(edited: SerializedDeployment): Promise<void> {
    return this.#explaining(async () => {
      await this.#close();
      const { id, base } = this.#from;
      await foldJournals(this.#context, {
        id,
        base,
        members: [this.#memberAs('succeeded', undefined)],
        edited,
      });
    });
  }

  #memberAs(result: ChangeResult, history: HistoryEntry | undefined): FoldMember {
    return {
      change: this.#running.change,
      number: this.#running.number,
      lock: this.#context.instance,
      fence: this.#running.fence,
      began: this.#running.began,
      replayer: this.#writer.replayer,
      history,
      end: this.#ending(result),
    };
  }

  #ending(result: ChangeResult): JournalEnd {
    const { tally } = this.#writer;
    return {
      result,
      status: tally.status(),
      tasks: tally.counts(),
      ended: this.#context.now().toISOString(),
    };
  }

  async abandon(): Promise<void> {
    await this.finish({ result: 'failed', resourceChanges: {} });
  }

  /** Removes the journal of an edit that has recorded nothing. It is not a change: its number was never reported. */
  async discardEdit(): Promise<void> {
    await this.#close();
    await removeJournal(this.#context.store, this.#directory);
  }

  /**
   * Appends records. When this resolves, the begin of the first effect is in the checkpoint, and so is every step if
   * the pace demands it.
   */
  async #append(records: readonly ChangeRecord[]): Promise<void> {
    const appending = this.#writer.append(records);
    if (this.#writer.hasSteps) this.#through.prepare();
    const entries = await appending;
    if (entries.length > 0) await this.#through.noted(entries);
  }

  async #explaining<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const [{ id }, { number }] = [this.#from, this.#running];
      const { replayer } = this.#writer;
      throw explainFailure(thrown, { id, number, directory: this.#directory, replayer });
    }
  }

  /** Closes the journal. Resolves with what the operation has stored, and the records if it has no steps. */
  async #close() {
    this.#writer.end();
    return { ...(await this.#through.stop()), records: await this.#writer.close() };
  }

  #historyEntry(end: OperationEnd): HistoryEntry {
    const { kind, operation, message, environment, config, startTime } = this.#running;
    const endTime = unixSeconds(this.#context.now());
    return {
      kind,
      startTime,
      message: message === '' ? (end.message ?? '') : message,
      environment: { ...environment, ...end.environment },
      config,
      version: 0,
      result: end.result === 'succeeded' ? 'succeeded' : 'failed',
      endTime,
      resourceChanges: end.resourceChanges,
      cairn: historyDetail(this.#running.number, operation ?? KIND_OF_UPDATE[kind], end.result),
    };
  }
}

/** Operations beside each other all start from the same checkpoint. An edit has no state before its end. */
function paceOf({ pace }: BackendContext, { claims }: OperationBase, { operation }: Running): CheckpointPace {
  return leavesRoom(claims) || operation === 'edit' ? 'end' : pace;
}
