import type { ChangeRecord } from '@cairn/changes';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import type { JsonObject } from '@cairn/state';
import type { ControlMessage } from '../../model/control-message.js';
import { leaseLost } from '../../model/lease-lost.js';
import type { AddedChange, MovingChange } from '../../model/past-change.js';
import { servedCheckpoint, stateDigest } from '../../model/served-checkpoint.js';
import { stackNotFound } from '../../model/stack-errors.js';
import type { StateText } from '../../model/state-text.js';
import { checkedStackId } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import type { BackendContext } from '../backend-context.js';
import { digestOf, loadCheckpoint } from '../checkpoint/checkpoint-file.js';
import { leaveMessage, readMessages } from '../control/control-files.js';
import { getJournalFile, putJournalFile } from '../journal/journal-files.js';
import type { OperationFile } from '../journal/journal-files.js';
import type { JournalEnd } from '../../model/change-facts.js';
import { journalRecords } from '../journal/journal-records.js';
import { Journals } from '../journal/journals.js';
import type { JournalRow } from '../journal/journal-files.js';
import { JOURNAL_FILES, changeName, layout } from '../layout.js';
import { lockHolders } from '../locks/lock-file.js';
import { isGone } from '../locks/holder-state.js';
import { addPastChange } from '../records/add-past-change.js';
import { loadBaseText } from '../records/base-copy.js';
import { readFiles } from '../records/change-files.js';
import type { ChangeFiles } from '../records/change-files.js';
import { isDamage } from '../records/damaged-row.js';
import { LookedChanges } from '../records/looked-changes.js';
import { pruneJournals } from '../records/prune.js';
import { runningChange } from '../records/read-changes.js';
import { lockAndRecover } from '../stacks/locked.js';
import { stateTextOf } from '../state-texts.js';
import { openPieces, readPieces } from './pieces.js';
import type { PieceLog } from './pieces.js';
import { StateNames } from './state-names.js';

/** Change in a bucket, as a service lists it. States are named by the digests of their exports. */
interface ListedJournal {
  readonly number: number;
  /** Id of the lock under which it runs or ran: that of its update if it began through a service. */
  readonly lock: string;
  readonly running: boolean;
  readonly operation: JsonObject;
  readonly sealed: JsonObject | undefined;
}

/** Choice of changes: a number of the newest, or one by its number. */
type JournalChoice = { readonly newest: number } | { readonly number: number };

/** Change that began through a service. `base` names the state that it starts from. */
interface BegunJournal {
  readonly number: number;
  readonly base: string;
}

/** Change that ended elsewhere. `base` is the state that it started from. */
interface TakenJournal extends Omit<MovingChange, 'base'> {
  readonly base: StateText | undefined;
  readonly lock: string;
}

interface FoundJournal {
  readonly lock: string;
  readonly end: JournalEnd | undefined;
}

/** End of a change, and the number of changes to keep. `stored` is true if its state was stored. */
interface ClosedJournal {
  readonly end: JournalEnd;
  readonly stored: boolean;
  readonly keep: number;
}

/**
 * Journals of a bucket for a state service: those of changes that began through it, and those of tools that work on the
 * bucket directly.
 */
export interface ServedJournals {
  /** Returns changes of a stack, oldest first: all, or those chosen. Stores first what a process that died has left. */
  list(stack: StackId, choice?: JournalChoice): Promise<readonly ListedJournal[]>;
  /** Returns the numbers of the changes, in ascending order. */
  numbers(stack: StackId): Promise<readonly number[]>;
  /** Returns the lock and the end of a change, or undefined if there is no such change. */
  find(stack: StackId, number: number): Promise<FoundJournal | undefined>;
  /** Begins a change with a number greater than `after`. The caller has locked the stack under `operation.lock`. */
  begin(
    stack: StackId,
    after: number,
    operation: Omit<OperationFile, 'change' | 'base'>,
  ): Promise<BegunJournal>;
  /**
   * Removes changes that need not be kept after one has ended. Closes that one first, unless it is closed, if its state
   * could not be stored.
   */
  close(stack: StackId, number: number, ended: ClosedJournal): Promise<void>;
  /** Returns the state that a change started from, if it is kept. */
  base(stack: StackId, number: number): Promise<StateText | undefined>;
  /**
   * Adds a change that has ended; see `PastChanges.add`. States are named by the digests of their exports. The caller
   * has locked the stack under `lock`.
   */
  take(stack: StackId, change: TakenJournal): Promise<AddedChange>;
  /** Opens the pieces of a change. Fails with `CAIRN-LEASE-LOST` if another process has taken it over. */
  open(stack: StackId, number: number): Promise<PieceLog>;
  /** Returns the pieces of a change. One that began directly has none. */
  pieces(stack: StackId, number: number): Promise<readonly Buffer[]>;
  records(stack: StackId, number: number): Promise<readonly ChangeRecord[]>;
  messages(stack: StackId, number: number): Promise<readonly ControlMessage[]>;
  send(stack: StackId, number: number, message: ControlMessage): Promise<void>;
}

/** Returns the journals of a backend for a service. */
export function servedJournals(context: BackendContext): ServedJournals {
  const { store } = context;
  const names = new StateNames(store);
  const folder = (stack: StackId, number: number): string =>
    layout.journalOf(checkedStackId(stack), changeName(number));
  const pieces = (stack: StackId, number: number): string => folder(stack, number) + JOURNAL_FILES.pieces;
  return {
    list: async (stack, choice) => {
      const id = checkedStackId(stack);
      await recoverDead(context, id);
      return listed(context, id, names, choice);
    },
    numbers: async (stack) =>
      (await Journals.of(store, checkedStackId(stack))).names.map(({ number }) => number),
    find: async (stack, number) => {
      const change = changeName(number);
      const files = await readFiles(store, checkedStackId(stack), { change, number });
      return files && { lock: files.operation.lock, end: files.sealed ?? files.over };
    },
    begin: (stack, after, operation) => begin(context, checkedStackId(stack), names, { after, operation }),
    close: async (stack, number, { end, stored, keep }) => {
      const directory = folder(stack, number);
      const operation = stored ? undefined : await getJournalFile(store, directory, 'operation');
      if (operation !== undefined) {
        const sealed = { lock: operation.lock, ...end, setAside: true } as const;
        await putJournalFile(store, directory, 'sealed', sealed, { ifAbsent: true });
      }
      const id = checkedStackId(stack);
      await pruneJournals(store, id, keep, await Journals.of(store, id));
    },
    take: (stack, change) => take(context, checkedStackId(stack), names, change),
    base: (stack, number) => baseOf(context, checkedStackId(stack), folder(stack, number)),
    open: async (stack, number) => {
      const log = await openPieces(store, pieces(stack, number));
      // Looked at after the piece is there: a process that takes the journal over fences the pieces after this file.
      if ((await store.get(folder(stack, number) + JOURNAL_FILES.segment)) === undefined) return log;
      await log.close();
      throw leaseLost(checkedStackId(stack), {
        causes: ['another process has taken over the change'],
        hint: 'Find out who works on the stack now.',
      });
    },
    pieces: (stack, number) => readPieces(store, pieces(stack, number), { whole: true }),
    records: async (stack, number) => (await journalRecords(store, folder(stack, number))).records,
    messages: async (stack, number) =>
      (await readMessages(store, folder(stack, number))).flatMap(({ found }) =>
        'message' in found ? [found.message] : [],
      ),
    send: (stack, number, message) => leaveMessage(store, folder(stack, number), message),
  };
}

/**
 * Stores what processes that died have left, unless a process holds the stack. A journal that cannot be stored stays as
 * it is: the list shows it.
 */
async function recoverDead(context: BackendContext, id: StackId): Promise<void> {
  const { store, process } = context;
  if ((await (await Journals.of(store, id)).open()).length === 0) return;
  if ((await lockHolders(store, id)).some((holder) => !isGone(holder, process))) return;
  try {
    const { lock } = await lockAndRecover(context, id);
    await lock.release();
  } catch (thrown) {
    if (!isCairnError(thrown)) throw thrown;
  }
}

async function listed(
  context: BackendContext,
  id: StackId,
  names: StateNames,
  choice: JournalChoice | undefined,
): Promise<readonly ListedJournal[]> {
  const looked = await LookedChanges.of(context.store, id);
  const isRunning = await runningChange(context, id);
  const found: ChangeFiles[] = [];
  const damaged: ListedJournal[] = [];
  for (const row of await chosenRows(looked, choice)) {
    try {
      const files = await looked.files(row);
      if (files !== undefined) found.push(files);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      const operation = { damage: messageOf(thrown) };
      damaged.push({ number: row.number, lock: '', running: false, operation, sealed: undefined });
    }
  }
  const named = await names.of(id, found);
  const journals = found.map((files) => journalOf(files, isRunning(files), named));
  return [...journals, ...damaged].sort((a, b) => a.number - b.number);
}

async function chosenRows(
  looked: LookedChanges,
  choice: JournalChoice | undefined,
): Promise<readonly JournalRow[]> {
  if (choice === undefined) return looked.all();
  if ('number' in choice) return looked.named(choice.number);
  const rows: JournalRow[] = [];
  for await (const row of looked.newestFirst()) if (rows.push(row) >= choice.newest) break;
  return rows;
}

function journalOf(files: ChangeFiles, running: boolean, named: (digest: string) => string): ListedJournal {
  const { number, operation, sealed, left } = files;
  const state = sealed?.setAside === true ? undefined : (left ?? sealed?.checkpoint);
  const checkpoint = state && named(state);
  return {
    ...{ number, running, lock: operation.lock },
    operation: { ...operation, base: named(operation.base) } as unknown as JsonObject,
    sealed: sealed && ({ ...sealed, checkpoint, outline: undefined } as unknown as JsonObject),
  };
}

const NUMBER_TRIES = 50;

async function begin(
  { store }: BackendContext,
  id: StackId,
  names: StateNames,
  {
    after,
    operation,
  }: { readonly after: number; readonly operation: Omit<OperationFile, 'change' | 'base'> },
): Promise<BegunJournal> {
  const checkpoint = await loadCheckpoint(store, id);
  if (checkpoint?.text === undefined) throw stackNotFound(id);
  const base = stateDigest(stateTextOf(checkpoint.text, checkpoint.key));
  names.note(checkpoint.digest, base);
  const newest = (await Journals.of(store, id)).names.at(-1)?.number ?? 0;
  let number = Math.max(after, newest);
  for (let tries = 0; tries < NUMBER_TRIES; tries += 1) {
    number += 1;
    const change = changeName(number);
    const file = { ...operation, change, base: checkpoint.digest };
    if (await putJournalFile(store, layout.journalOf(id, change), 'operation', file, { ifAbsent: true }))
      return { number, base };
  }
  throw leaseLost(id, {
    causes: ['other processes begin operations'],
    hint: 'Find out who works on the stack now.',
  });
}

/** The bucket has digests of its own for the state that is stored. Others are those of the copies. */
async function take(
  { store }: BackendContext,
  id: StackId,
  names: StateNames,
  { base, states, ...change }: TakenJournal,
): Promise<AddedChange> {
  const checkpoint = await loadCheckpoint(store, id);
  const present = checkpoint?.text && stateDigest(stateTextOf(checkpoint.text, checkpoint.key));
  if (checkpoint !== undefined && present !== undefined) names.note(checkpoint.digest, present);
  const own = (name: string): string =>
    checkpoint !== undefined && name === present ? checkpoint.digest : name;
  const bytes = base && servedCheckpoint(base);
  const isPresent = bytes !== undefined && digestOf(bytes) === present;
  const left = states.left === undefined ? undefined : own(states.left);
  return addPastChange(store, id, {
    ...change,
    base: isPresent ? undefined : bytes,
    states: { base: own(bytes === undefined ? states.base : digestOf(bytes)), left },
  });
}

async function baseOf(
  { store }: BackendContext,
  id: StackId,
  directory: string,
): Promise<StateText | undefined> {
  const operation = await getJournalFile(store, directory, 'operation');
  if (operation === undefined) return undefined;
  const checkpoint = await loadCheckpoint(store, id);
  const text =
    checkpoint?.digest === operation.base
      ? checkpoint.text
      : await loadBaseText(store, directory, operation.base);
  return text && stateTextOf(text, directory);
}
