import type { Segment } from '@cairn/blobs';
import { decodeSegment, encodeRecords } from '@cairn/changes';
import type { ChangeRecord, Claim } from '@cairn/changes';
import { BugError, cairnError, CairnError, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { Replayer } from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import { unixSeconds } from '../backend-context.js';
import type { BackendContext } from '../backend-context.js';
import { loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { leavesRoom } from '../claims/claims.js';
import { Holdings, restingNote } from '../claims/holdings.js';
import { listen } from '../control/listen.js';
import type { Listening } from '../control/listen.js';
import { historyDetail } from '../../model/history-entry.js';
import type { HistoryEntry } from '../../model/history-entry.js';
import { foldJournals } from '../journal/fold.js';
import type { FoldMember } from '../journal/fold.js';
import { putJournalFile, removeJournal, withdrawFence } from '../journal/journal-files.js';
import { Journals } from '../journal/journals.js';
import type { JournalEnd } from '../journal/journal-files.js';
import { entriesOf } from '../journal/journal-replay.js';
import { JOURNAL_FILES, changeName, layout } from '../layout.js';
import { isLeaseLost, leaseLost } from '../locks/lease-lost.js';
import type { HeldLock } from '../locks/stack-lock.js';
import type { ChangeResult } from '../../model/change-result.js';
import { KIND_OF_UPDATE } from '../../model/operation-kind.js';
import { Tally } from '../../model/tally.js';
import { NOTHING_LEFT, leftBeside } from '../recovery/pending-journals.js';
import type { StackId } from '../../stack-id.js';
import type {
  OperationEnd,
  OperationLog,
  OperationReport,
  OperationStart,
} from '../../model/operation-log.js';
import { WriteThrough } from './write-through.js';
import type { MessageListener } from '../../model/control-message.js';
import type { CheckpointPace } from '../../backend-ports.js';

/** Starting point of an operation. `base` is the checkpoint that `deployment` was read from. */
export interface OperationBase {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  readonly deployment: SerializedDeployment;
  readonly lock: HeldLock;
  /** Claims of the operation on the stack. */
  readonly claims: readonly Claim[];
  /** Journals of the stack when it was locked. Defaults to those that are there now. */
  readonly journals?: Journals;
}

/**
 * Opens the journal of an operation: claims the next number of the stack with create-if-absent, then opens its segment.
 * Fails with `CAIRN-STATE-LOCKED` when another process claims the same number, and with `CAIRN-LEASE-LOST` when the
 * lock was taken away since the base was read. Runs under the stack's lock, after recovery.
 */
export async function beginOperation(
  context: BackendContext,
  from: OperationBase,
  operation: OperationStart,
): Promise<JournalledOperation> {
  const { store } = context;
  const startTime = unixSeconds(context.now());
  const number = await claimNumber(context, from, { ...operation, startTime });
  const change = changeName(number);
  const directory = layout.journalOf(from.id, change);
  // Checked only once the number is claimed: any process that takes the stack from then on finds the journal.
  await stillAsRead(context, from).catch(async (thrown: unknown) => {
    await withdrawFence(store, directory);
    throw thrown;
  });
  const opened = await store.openSegment(directory + JOURNAL_FILES.segment, { create: 'exclusive' });
  if (!opened.ok) {
    // The process that took over the stack has created it, so that no other process writes to it.
    await from.lock.confirm();
    throw claimed(from.id, number);
  }
  return new JournalledOperation(context, from, { ...operation, number, change, startTime }, opened.segment);
}

/** Takes the next number of the stack. Each of the operations that run beside each other gets the next free one. */
async function claimNumber(
  context: BackendContext,
  { id, base, claims, lock, journals: locked }: OperationBase,
  operation: OperationStart & { readonly startTime: number },
): Promise<number> {
  const { store } = context;
  const beside = leavesRoom(claims);
  // Alone on the stack: no other operation has begun since.
  const journals = (beside ? undefined : locked) ?? (await Journals.of(store, id));
  const newest = (await journals.newest())?.number ?? 0;
  const closed = beside ? ((await journals.open())[0]?.number ?? newest + 1) - 1 : undefined;
  let number = newest;
  for (let tries = 0; tries < (beside ? NUMBER_TRIES : 1); tries += 1) {
    number += 1;
    const change = changeName(number);
    const file = {
      change,
      lock: context.instance,
      pid: context.process.pid,
      hostname: context.process.hostname,
      ...operation,
      base: base.digest,
      ...(beside && { claims, closed }),
    };
    if (await putJournalFile(store, layout.journalOf(id, change), 'operation', file, { ifAbsent: true }))
      return number;
  }
  // The process that took over the stack has continued it.
  await lock.confirm();
  throw claimed(id, number);
}

const NUMBER_TRIES = 50;

/**
 * Checks that the lock is still there. If others run beside, also checks that no process has stored a new state since
 * this one was read.
 */
async function stillAsRead(
  context: BackendContext,
  { id, base, claims, lock }: OperationBase,
): Promise<void> {
  await lock.confirm();
  if (!leavesRoom(claims) || (await loadCheckpoint(context.store, id))?.digest === base.digest) return;
  throw cairnError(
    'CAIRN-STORE-CONFLICT',
    `the state of stack "${id.stack}" has changed since this operation began`,
    {
      causes: ['a parallel operation has ended and stored its steps'],
      hint: 'Nothing was changed. Run the command again.',
    },
  );
}

interface Running extends OperationStart {
  readonly number: number;
  readonly change: string;
  readonly startTime: number;
}

/** Journal of a running operation. */
class JournalledOperation implements OperationLog {
  readonly changeId: string;
  readonly store: OperationLog['store'];
  readonly #directory: string;
  readonly #replayer: Replayer;
  readonly #tally = new Tally();
  #ended = false;
  #listening: Listening | undefined;
  readonly #holdings: Holdings;
  readonly #through: WriteThrough;
  #takenOver = false;
  #claiming: Promise<unknown> = Promise.resolve();
  /** The previous append, done or failed. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #context: BackendContext;
  readonly #from: OperationBase;
  readonly #running: Running;
  readonly #segment: Segment;

  constructor(context: BackendContext, from: OperationBase, running: Running, segment: Segment) {
    this.#context = context;
    this.#from = from;
    this.#running = running;
    this.#segment = segment;
    this.changeId = running.change;
    this.#directory = layout.journalOf(from.id, running.change);
    this.#holdings = new Holdings(context, from, this.#directory);
    this.#replayer = new Replayer(from.deployment, segment.key);
    const { id, base, lock } = from;
    const directory = this.#directory;
    const replayer = this.#replayer;
    const pace = paceOf(context, from, running);
    this.#through = new WriteThrough(context, { id, base, directory, lock, replayer, pace });
    this.store = { append: (records) => this.#append(records), load: () => this.#load() };
  }

  onMessage(listener: MessageListener): void {
    if (!this.#ended) this.#listening = listen(this.#context, this.#directory, listener);
  }

  claim(claims: readonly Claim[]): Promise<Diagnostic | undefined> {
    const claiming = this.#claiming.then(() => this.#holdings.claim(claims));
    this.#claiming = claiming.catch(() => undefined);
    return claiming;
  }

  writeThrough(): Promise<void> {
    return this.#through.interrupted();
  }

  finish(end: OperationEnd): Promise<OperationReport> {
    return this.#telling(async () => this.#foldOrRest(end));
  }

  async #foldOrRest(end: OperationEnd): Promise<OperationReport> {
    // The author of a message that comes at the last moment learns that it came too late.
    await this.#listening?.look();
    const present = await this.#close();
    const history = this.#historyEntry(end);
    const member = { ...this.#memberAs(end.result, history), order: end.order };
    const { id, base } = this.#from;
    const beside = await this.#holdings.beside();
    if (beside === 'others') {
      const ended = { lock: this.#context.instance, end: member.end, history };
      await putJournalFile(this.#context.store, this.#directory, 'ended', ended);
      return { diagnostics: [restingNote(this.#running.number)] };
    }
    const left = beside === 'alone' ? await leftBeside(this.#context, id, base, member.number) : NOTHING_LEFT;
    const members = [member, ...left.members].sort((a, b) => a.number - b.number);
    const { diagnostics } = await foldJournals(this.#context, { id, base, present, members });
    return { diagnostics: [...left.diagnostics, ...diagnostics] };
  }

  /**
   * Ends an edit that succeeded, as {@link finish} does. The state is stored as the person wants it, without a history
   * entry.
   */
  finishEdit(edited: SerializedDeployment): Promise<void> {
    return this.#telling(async () => {
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
      replayer: this.#replayer,
      history,
      end: this.#ending(result),
    };
  }

  #ending(result: ChangeResult): JournalEnd {
    const tally = this.#tally;
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

  /** Removes the journal of an edit that has recorded nothing. It is no change: its number was never reported. */
  async discardEdit(): Promise<void> {
    await this.#close();
    await removeJournal(this.#context.store, this.#directory);
  }

  /**
   * Appends records; their entries count once they are durable. If the journal breaks (disk full), ends of steps still
   * count: they have happened, and the checkpoint may yet be writable. Begins do not count, because their steps are not
   * taken.
   *
   * No step begins without the lock, which is checked while the bytes become durable. Once another process has taken
   * over the journal, nothing is recorded any more. Entries count in the order in which they were appended, whichever
   * append completes first. When this resolves, the begin of the first effect is in the checkpoint, and so is every
   * step if the pace demands it.
   */
  #append(records: readonly ChangeRecord[]): Promise<void> {
    const appended = this.#appendAfter(this.#last, records);
    this.#last = appended.catch(() => undefined);
    return appended.then((entries) =>
      entries.length === 0 ? undefined : this.#telling(async () => this.#through.noted(entries)),
    );
  }

  async #appendAfter(
    before: Promise<unknown>,
    records: readonly ChangeRecord[],
  ): Promise<readonly SerializedJournalEntry[]> {
    if (this.#ended) throw new BugError('append to the journal of an operation that has ended');
    const entries = entriesOf(records, this.#segment.key);
    const begins = entries.some((entry) => entry.kind === 'begin');
    const write = (): Promise<void> => this.#segment.append(encodeRecords(records)).catch(this.#takenAway);
    try {
      await (begins ? this.#from.lock.during(write) : write());
    } catch (thrown) {
      await before;
      if (!this.#takenOver) this.#replay(entries.filter((entry) => entry.kind !== 'begin'));
      throw this.#told(thrown);
    }
    await before;
    this.#replay(entries);
    for (const record of records) this.#tally.add(record);
    return entries;
  }

  #replay(entries: readonly SerializedJournalEntry[]): void {
    for (const entry of entries) this.#replayer.add(entry);
  }

  /**
   * Notes that the journal was taken over. The process that has fenced it has read it: later records are not part of
   * it.
   */
  readonly #takenAway = (thrown: unknown): never => {
    this.#takenOver ||= isLeaseLost(thrown);
    throw thrown;
  };

  async #telling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw this.#told(thrown);
    }
  }

  /**
   * Adds context to a failure. A lost lease lists the steps that had begun and what is recorded; a failed store, what
   * is recorded.
   */
  #told(thrown: unknown): unknown {
    if (!isLeaseLost(thrown)) return withKept(thrown, this.#directory, this.#replayer.entryCount);
    const begun = this.#replayer.inDoubt().map(({ type, resource }) => `${type} ${resource.urn}`);
    const { entryCount } = this.#replayer;
    const { number } = this.#running;
    return leaseLost(
      this.#from.id,
      {
        causes: [
          ...(thrown.diagnostics[0]?.causes ?? ['another process has taken over its journal']),
          begun.length === 0
            ? 'no step was under way'
            : `begun, and their end could not be recorded: ${begun.join(', ')}`,
          `${entryCount} entries of this operation are recorded in ${this.#directory}`,
        ],
        hint:
          `Everything recorded is kept, and becomes part of the state once the stack is taken over; nothing was overwritten. Run \`cairn change ${number}\` to see it. ` +
          'Find out who works on the stack now; the next command asks about steps whose end is not recorded.',
      },
      thrown,
    );
  }

  async #load(): Promise<readonly ChangeRecord[]> {
    const blob = await this.#context.store.get(this.#segment.key);
    return decodeSegment(blob?.bytes ?? new Uint8Array(), { name: this.#segment.key }).records;
  }

  /**
   * Closes the journal. Appended records are durable, so a failure to close loses nothing. Resolves with the checkpoint
   * as the operation left it.
   */
  async #close(): Promise<StoredCheckpoint> {
    if (this.#ended) throw new BugError('an operation ends once');
    this.#ended = true;
    this.#listening?.stop();
    const present = await this.#through.stop();
    await this.#segment.close().catch(() => undefined);
    return present;
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

function claimed(id: StackId, number: number): Error {
  return cairnError(
    'CAIRN-STATE-LOCKED',
    `the stack is currently locked by another process, which began operation ${number} on "${id.stack}" at the same moment`,
    {
      hint: 'Run the command again when the other one is done.',
    },
  );
}

/** Adds to a failure of the store what is saved, where, and how to continue. Passes other errors unchanged. */
function withKept(thrown: unknown, directory: string, entries: number): unknown {
  if (
    !isCairnError(thrown) ||
    !thrown.diagnostics.some(({ code }) => code?.startsWith('CAIRN-STORE-') === true)
  )
    return thrown;
  const kept = `what this operation recorded (${entries} entries) is kept in ${directory}: the next \`cairn up\`, \`cairn refresh\` or \`cairn destroy\` adds it to the state and asks about steps that were in progress`;
  const [first, ...rest] = thrown.diagnostics;
  if (first === undefined || first.causes?.includes(kept) === true) return thrown;
  return new CairnError([{ ...first, causes: [...(first.causes ?? []), kept] }, ...rest], { cause: thrown });
}
