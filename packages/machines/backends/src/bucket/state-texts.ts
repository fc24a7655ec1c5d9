import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { memberTexts, untypedDeploymentText } from '@cairn/state';
import { nanoStamp } from './backend-context.js';
import type { BackendContext } from './backend-context.js';
import { deploymentOf, digestOf, loadCheckpoint, storeCheckpoint } from './checkpoint/checkpoint-file.js';
import type { StoredCheckpoint, WrittenCheckpoint } from './checkpoint/checkpoint-file.js';
import { lostNotedState, stateLoss } from './checkpoint/noted-state.js';
import type { NotedState } from './checkpoint/noted-state.js';
import type { HistoryEntry } from '../model/history-entry.js';
import { forgetStates } from './history/forget-states.js';
import { newestStamp, readHistoryText, writeHistory } from './history/history-store.js';
import { getJournalFile, putJournalFile } from './journal/journal-files.js';
import type { JournalEnd } from '../model/change-facts.js';
import { changeName, layout } from './layout.js';
import { leaseLost } from '../model/lease-lost.js';
import { reasonedLockBytes } from './locks/lock-file.js';
import { keepBase } from './records/base-copy.js';
import { readUnfolded } from './recovery/unfolded.js';
import { checkedStackId, fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { lockAndRecover } from './stacks/locked.js';
import type { StateText } from '../model/state-text.js';
import { renameBucketStack } from './stacks/rename-stack.js';
import { stackNotFound } from '../model/stack-errors.js';

/** Update as the history keeps it. `stamp` is in nanoseconds since 1970; the same update has the same stamp. */
export interface RecordedUpdate {
  readonly stamp: string;
  readonly entry: HistoryEntry;
  /** Change that ends with the update, if its records are kept. */
  readonly change?: EndedChange;
}

/** Number and end of a change. */
export interface EndedChange {
  readonly number: number;
  readonly end: JournalEnd;
}

/** Returns what was noted of the state that was stored last, if anything was. */
type NoteOfState = () => Promise<NotedState | undefined>;

/** State to store under a lock. */
interface NewState {
  readonly lockId: string;
  readonly state: StateText;
  readonly update?: RecordedUpdate | undefined;
  readonly stored: NoteOfState;
}

/**
 * States as texts, for a service that passes them on byte for byte. It works under the lock of a person: the lock
 * outlives the process, as the service's updates do, and both tools respect it.
 */
export interface StateTexts {
  /**
   * Returns the state as {@link Backend.read} sees it. Fails with `CAIRN-STACK-NOT-FOUND`, and with
   * `CAIRN-STATE-CORRUPT` if the store has lost the state that was stored last.
   */
  read(stack: StackId, stored?: NotedState): Promise<StateText>;
  /** Returns true if the store has a stack, but lost its newest state altogether. */
  isGone(stack: StackId, stored: NotedState): Promise<boolean>;
  /** Returns the state after an update of the history. Fails with `CAIRN-USAGE` for one that is not kept. */
  readAfter(stack: StackId, version: number): Promise<StateText>;
  /**
   * Locks a stack after recovery, under an id of the caller. Fails with `CAIRN-STATE-LOCKED` and
   * `CAIRN-STACK-NOT-FOUND`. A stack whose state is gone is asked for with `stored`.
   */
  lock(stack: StackId, lockId: string, reason: string, stored: NoteOfState): Promise<void>;
  /** Removes the lock. Does nothing if it is gone. */
  unlock(stack: StackId, lockId: string): Promise<void>;
  /**
   * Replaces the state, and then records the update that led to it and closes its change. May be repeated. Resolves
   * with the state as it is noted. Fails with `CAIRN-LEASE-LOST` if the lock is gone, or another process has taken over
   * the change.
   */
  store(stack: StackId, stored: NewState): Promise<NotedState>;
  /** Records an update of the past whose state is not known. May be repeated. */
  record(stack: StackId, update: RecordedUpdate): Promise<void>;
  /** Renames a stack, as {@link Backend.rename} does, with the caller's text of the new state. */
  rename(from: StackId, to: StackId, rewrite: (state: StateText) => StateText): Promise<void>;
  /** Removes the states of updates that began before a time, but not the newest one, and no history entry. */
  forget(stack: StackId, before: Date): Promise<void>;
  /** Returns a stamp for an update that begins now: later than those of the history, whatever the clock says. */
  stamp(stack: StackId): Promise<string>;
}

/** Returns the texts of a backend's states. */
export function stateTexts(context: BackendContext): StateTexts {
  const { store, now } = context;
  return {
    read: (id, stored) => readText(context, checkedStackId(id), stored),
    isGone: async (id, stored) => {
      const known = checkedStackId(id);
      return (await stateLoss(store, known, stored, await loadCheckpoint(store, known))) === 'gone';
    },
    readAfter: async (id, version) => {
      const { text, key } = await readHistoryText(store, checkedStackId(id), version);
      return stateTextOf(text, key);
    },
    lock: (id, lockId, reason, stored) => lockFor(context, checkedStackId(id), { lockId, reason, stored }),
    unlock: async (id, lockId) => void (await store.delete(layout.lock(checkedStackId(id), lockId))),
    store: (id, stored) => storeText(context, checkedStackId(id), stored),
    record: async (id, { stamp, entry }) => {
      const { settings } = context;
      await writeHistory(store, { id: checkedStackId(id), stamp, entry, checkpoint: undefined, settings });
    },
    rename: async (from, to, rewrite) => {
      const id = checkedStackId(from);
      const bytes = (text: Uint8Array): Uint8Array =>
        checkpointText(id, rewrite(stateTextOf(text, from.stack)));
      await renameBucketStack(context, id, checkedStackId(to), bytes);
    },
    forget: (id, before) => forgetStates(store, checkedStackId(id), before),
    stamp: async (id) => {
      const present = BigInt(nanoStamp(now(), 0));
      const next = ((await newestStamp(store, checkedStackId(id))) ?? 0n) + 1n;
      return String(present > next ? present : next);
    },
  };
}

async function readText(context: BackendContext, id: StackId, stored?: NotedState): Promise<StateText> {
  const checkpoint = await loadCheckpoint(context.store, id);
  const loss = await stateLoss(context.store, id, stored, checkpoint);
  if (loss !== undefined) throw lostNotedState(id, loss);
  if (checkpoint === undefined) throw stackNotFound(id);
  const { text, key } = checkpoint;
  const { deployment } = await readUnfolded(context, id, checkpoint);
  if (text !== undefined && deployment === deploymentOf(checkpoint)) return stateTextOf(text, key);
  return stateTextOf(Buffer.from(untypedDeploymentText(deployment)), key);
}

/**
 * Returns the parts of a stack file or of an export document. A stack that was never written has an empty body. Fails
 * with `CAIRN-STATE-CORRUPT`, also for a document that has no place for a state: the state would count as empty.
 */
export function stateTextOf(text: Uint8Array, source: string): StateText {
  const members = new Map(memberTexts(text, source));
  const checkpoint = members.get('checkpoint');
  if (!PLACES.some((place) => members.has(place)))
    throw cairnError('CAIRN-STATE-CORRUPT', `cannot read the state in ${source}: it has no checkpoint`, {
      hint: 'Restore the file from a backup.',
    });
  const inner = checkpoint === undefined ? members : new Map(memberTexts(checkpoint, source));
  const body = inner.get('deployment') ?? inner.get('latest');
  const version = Math.max(3, Number(members.get('version') ?? 3));
  const deployment = body === undefined || body === 'null' ? EMPTY : body;
  return { version, features: members.get('features'), deployment };
}

/** Members of a stack file or an export document that have the state, by the versions of the format. */
const PLACES = ['checkpoint', 'deployment', 'latest', 'stack'] as const;

/** Body of a deployment without content: the manifest has to be there. */
const EMPTY = '{"manifest":{"time":"0001-01-01T00:00:00Z","magic":"","version":""}}';

function checkpointText(id: StackId, { version, features, deployment }: StateText): Uint8Array {
  const head = `{"version":${version},${features === undefined ? '' : `"features":${features},`}`;
  const name = JSON.stringify(fullStackName(id));
  return Buffer.from(`${head}"checkpoint":{"stack":${name},"latest":${deployment}}}`);
}

interface NewLock {
  readonly lockId: string;
  readonly reason: string;
  readonly stored: NoteOfState;
}

async function lockFor(
  context: BackendContext,
  id: StackId,
  { lockId, reason, stored }: NewLock,
): Promise<void> {
  const { lock } = await lockAndRecover(context, id);
  try {
    await refuseNoStack(context.store, id, await loadCheckpoint(context.store, id), stored);
    const bytes = reasonedLockBytes(context.process, context.now(), reason);
    await lock.during(async () => void (await context.store.put(layout.lock(id, lockId), bytes)));
  } finally {
    await lock.release();
  }
}

/** Refuses a stack that is not there. One whose state the store has lost is there: a new state takes its place. */
async function refuseNoStack(
  store: BlobStore,
  id: StackId,
  present: StoredCheckpoint | undefined,
  stored: NoteOfState,
): Promise<void> {
  if (present === undefined && (await stateLoss(store, id, await stored(), present)) !== 'gone')
    throw stackNotFound(id);
}

async function storeText(
  { store, settings }: BackendContext,
  id: StackId,
  { lockId, state, update, stored }: NewState,
): Promise<NotedState> {
  const present = await loadCheckpoint(store, id);
  if ((await store.get(layout.lock(id, lockId))) === undefined) throw lockGone(id);
  await refuseNoStack(store, id, present, stored);
  const bytes = checkpointText(id, state);
  const checkpoint = update?.change && digestOf(bytes);
  if (checkpoint !== undefined) await announce(store, id, { lockId, update, present, checkpoint });
  const isThere = present?.size === bytes.length && present.digest === (checkpoint ?? digestOf(bytes));
  const written: WrittenCheckpoint = isThere
    ? present
    : await storeCheckpoint(store, {
        ...{ id, bytes, previous: present, settings, keepsPrevious: true },
      });
  const replaced =
    isThere || present?.modified === undefined
      ? undefined
      : { version: present.version, modified: present.modified };
  const noted = { version: written.version, replaced, stamp: update?.stamp };
  if (update === undefined) return noted;
  const { stamp, entry, change } = update;
  await writeHistory(store, { id, stamp, entry, checkpoint: written, settings });
  if (change === undefined) return noted;
  const directory = layout.journalOf(id, changeName(change.number));
  const sealed = { lock: lockId, ...change.end, checkpoint, stamp };
  await putJournalFile(store, directory, 'sealed', sealed, { ifAbsent: true });
  return noted;
}

/** State of a change that is about to be stored. */
interface Announced {
  readonly lockId: string;
  readonly update: RecordedUpdate | undefined;
  readonly present: StoredCheckpoint | undefined;
  readonly checkpoint: string;
}

/**
 * Announces the state that a change leaves, and keeps the one that it started from. A process that takes the stack over
 * then knows how far this one came. Fails with `CAIRN-LEASE-LOST` if one has done so.
 */
async function announce(
  store: BlobStore,
  id: StackId,
  { lockId, update, present, checkpoint }: Announced,
): Promise<void> {
  if (update?.change === undefined) return;
  const { stamp, entry, change } = update;
  const directory = layout.journalOf(id, changeName(change.number));
  const operation = await getJournalFile(store, directory, 'operation');
  const sealed = await getJournalFile(store, directory, 'sealed');
  if (operation?.lock !== lockId || (sealed !== undefined && sealed.lock !== lockId)) throw lockGone(id);
  if (sealed !== undefined) return;
  if (present?.digest === operation.base && !(await keepBase(store, directory, present))) throw lockGone(id);
  const { base } = operation;
  const plan = { lock: lockId, base, checkpoint, stamp, history: entry, end: change.end };
  await putJournalFile(store, directory, 'fold', plan);
}

function lockGone(id: StackId): Error {
  return leaseLost(id, {
    causes: ['the lock was removed while an update ran'],
    hint: 'Find out who works on the stack now.',
  });
}
