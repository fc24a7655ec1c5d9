import type { BlobStore } from '@cairn/blobs';
import { memberTexts, untypedDeploymentText } from '@cairn/state';
import { nanoStamp } from './backend-context.js';
import type { BackendContext } from './backend-context.js';
import { deploymentOf, digestOf, loadCheckpoint, storeCheckpoint } from './checkpoint/checkpoint-file.js';
import type { StoredCheckpoint, WrittenCheckpoint } from './checkpoint/checkpoint-file.js';
import type { HistoryEntry } from '../model/history-entry.js';
import { forgetStates } from './history/forget-states.js';
import { newestStamp, readHistoryText, writeHistory } from './history/history-store.js';
import { getJournalFile, putJournalFile } from './journal/journal-files.js';
import type { JournalEnd } from './journal/journal-files.js';
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

/**
 * States as texts, for a service that passes them on byte for byte. It works under the lock of a person: the lock
 * outlives the process, as the service's updates do, and both tools respect it.
 */
export interface StateTexts {
  /** Returns the state as {@link Backend.read} sees it. Fails with `CAIRN-STACK-NOT-FOUND`. */
  read(stack: StackId): Promise<StateText>;
  /** Returns the state after an update of the history. Fails with `CAIRN-USAGE` for one that is not kept. */
  readAfter(stack: StackId, version: number): Promise<StateText>;
  /**
   * Locks a stack after recovery, under an id of the caller. Fails with `CAIRN-STATE-LOCKED` and
   * `CAIRN-STACK-NOT-FOUND`.
   */
  lock(stack: StackId, lockId: string, reason: string): Promise<void>;
  /** Removes the lock. Does nothing if it is gone. */
  unlock(stack: StackId, lockId: string): Promise<void>;
  /**
   * Replaces the state, and then records the update that led to it and closes its change. May be repeated. Fails with
   * `CAIRN-LEASE-LOST` if the lock is gone, or another process has taken over the change.
   */
  store(stack: StackId, lockId: string, state: StateText, update?: RecordedUpdate): Promise<void>;
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
    read: (id) => readText(context, checkedStackId(id)),
    readAfter: async (id, version) => {
      const { text, key } = await readHistoryText(store, checkedStackId(id), version);
      return stateTextOf(text, key);
    },
    lock: (id, lockId, reason) => lockFor(context, checkedStackId(id), lockId, reason),
    unlock: async (id, lockId) => void (await store.delete(layout.lock(checkedStackId(id), lockId))),
    store: (id, lockId, state, update) => storeText(context, checkedStackId(id), { lockId, state, update }),
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

async function readText(context: BackendContext, id: StackId): Promise<StateText> {
  const checkpoint = await loadCheckpoint(context.store, id);
  if (checkpoint === undefined) throw stackNotFound(id);
  const { text, key } = checkpoint;
  const { deployment } = await readUnfolded(context, id, checkpoint);
  if (text !== undefined && deployment === deploymentOf(checkpoint)) return stateTextOf(text, key);
  return stateTextOf(Buffer.from(untypedDeploymentText(deployment)), key);
}

/** Returns the parts of a stack file or of an export document. A stack that was never written has an empty body. */
export function stateTextOf(text: Uint8Array, source: string): StateText {
  const members = new Map(memberTexts(text, source));
  const checkpoint = members.get('checkpoint');
  const inner = checkpoint === undefined ? members : new Map(memberTexts(checkpoint, source));
  const body = inner.get('deployment') ?? inner.get('latest');
  const version = Math.max(3, Number(members.get('version') ?? 3));
  const deployment = body === undefined || body === 'null' ? EMPTY : body;
  return { version, features: members.get('features'), deployment };
}

/** Body of a deployment without content: the manifest has to be there. */
const EMPTY = '{"manifest":{"time":"0001-01-01T00:00:00Z","magic":"","version":""}}';

function checkpointText(id: StackId, { version, features, deployment }: StateText): Uint8Array {
  const head = `{"version":${version},${features === undefined ? '' : `"features":${features},`}`;
  const name = JSON.stringify(fullStackName(id));
  return Buffer.from(`${head}"checkpoint":{"stack":${name},"latest":${deployment}}}`);
}

async function lockFor(context: BackendContext, id: StackId, lockId: string, reason: string): Promise<void> {
  const { lock } = await lockAndRecover(context, id);
  try {
    if ((await loadCheckpoint(context.store, id)) === undefined) throw stackNotFound(id);
    const bytes = reasonedLockBytes(context.process, context.now(), reason);
    await lock.during(async () => void (await context.store.put(layout.lock(id, lockId), bytes)));
  } finally {
    await lock.release();
  }
}

interface StoredText {
  readonly lockId: string;
  readonly state: StateText;
  readonly update: RecordedUpdate | undefined;
}

async function storeText(
  { store, settings }: BackendContext,
  id: StackId,
  { lockId, state, update }: StoredText,
): Promise<void> {
  const present = await loadCheckpoint(store, id);
  if ((await store.get(layout.lock(id, lockId))) === undefined) throw lockGone(id);
  if (present === undefined) throw stackNotFound(id);
  const bytes = checkpointText(id, state);
  const checkpoint = update?.change && digestOf(bytes);
  if (checkpoint !== undefined) await announce(store, id, { lockId, update, present, checkpoint });
  let written: WrittenCheckpoint = present;
  if (present.size !== bytes.length || present.digest !== (checkpoint ?? digestOf(bytes)))
    written = await storeCheckpoint(store, { id, bytes, previous: present, settings, keepsPrevious: true });
  if (update === undefined) return;
  const { stamp, entry, change } = update;
  await writeHistory(store, { id, stamp, entry, checkpoint: written, settings });
  if (change === undefined) return;
  const directory = layout.journalOf(id, changeName(change.number));
  const sealed = { lock: lockId, ...change.end, checkpoint, stamp };
  await putJournalFile(store, directory, 'sealed', sealed, { ifAbsent: true });
}

/** State of a change that is about to be stored. */
interface Announced {
  readonly lockId: string;
  readonly update: RecordedUpdate | undefined;
  readonly present: StoredCheckpoint;
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
  if (present.digest === operation.base && !(await keepBase(store, directory, present))) throw lockGone(id);
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
