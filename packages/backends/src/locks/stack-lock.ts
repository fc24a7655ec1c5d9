import { setTimeout as pause } from 'node:timers/promises';
import type { BlobStore } from '@cairn/blobs';
import { findConflict } from '@cairn/changes';
import type { Claim, Conflict } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { ALL, leavesRoom } from '../claims/claims.js';
import { ChangeConflictError, conflictWith, openJournals } from '../claims/held-claims.js';
import { layout } from '../layout.js';
import type { StackId } from '../stack-id.js';
import { isGone, lockBytes, lockHolders } from './lock-file.js';
import type { HolderProcess, LockHolder } from './lock-file.js';

/** Who takes locks, and by which rules. `id`: UUID of this backend instance, used for all its locks. */
export interface Locker {
  readonly store: BlobStore;
  readonly id: string;
  readonly process: HolderProcess;
  readonly now: () => Date;
  /** Keys of the locks that this instance holds: one operation at a time on a stack, within a process too. */
  readonly held: Set<string>;
  /** What the holder of a lock does, when it can be found out: `it runs change 7 (up)`. */
  readonly doing?: (holder: LockHolder) => Promise<string | undefined>;
}

/** A lock that is held. `takenOver`: locks of dead operations that were removed for it. */
export interface HeldLock {
  readonly takenOver: readonly LockHolder[];
  /** Others of ours hold parts of the stack beside this one. */
  readonly joined: boolean;
  /** Holds more, or less, from now on; durable when it resolves. Resolves with the other locks that lie there after that. */
  hold(claims: readonly Claim[]): Promise<readonly LockHolder[]>;
  release(): Promise<void>;
}

/**
 * Takes the stack's lock the way the other tool does (state.md 5.7): look, write one's own, look again. Fails with `CAIRN-STATE-LOCKED`
 * naming every holder. Only locks that `mayTakeOver` allows are removed. Of several of us that begin at once, the one with the least id
 * gets it, when the others have withdrawn; the other tool always withdraws. One of us that claims only a part of the stack may hold it
 * beside others of us whose claims leave that part alone; where they collide it fails with `CAIRN-CHANGE-CONFLICT` (changes.md g.6).
 */
export async function takeLock(
  locker: Locker,
  id: StackId,
  mayTakeOver: (holder: LockHolder) => Promise<boolean>,
  claims: readonly Claim[] = ALL,
): Promise<HeldLock> {
  const { store } = locker;
  const own = layout.lock(id, locker.id);
  if (locker.held.has(own))
    throw await locked(
      (await lockHolders(store, id)).filter((holder) => holder.key === own),
      locker,
      id,
    );
  const takenOver: LockHolder[] = [];
  for (const holder of await otherHolders(locker, id)) {
    if (isGone(holder, locker.process) && (await mayTakeOver(holder))) takenOver.push(holder);
    else if (isInTheWay(holder, claims)) throw await refused(locker, id, claims);
  }
  for (const holder of takenOver) await store.delete(holder.key);
  locker.held.add(own);
  const release = async (): Promise<void> => {
    locker.held.delete(own);
    await store.delete(own);
  };
  await store.put(own, lockBytes(locker.process, locker.now(), claims)).catch((thrown: unknown) => {
    locker.held.delete(own);
    throw thrown;
  });
  const others = await rivals(locker, id, claims).catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });
  if (others.some((other) => isInTheWay(other, claims))) {
    await release();
    throw await refused(locker, id, claims, others);
  }
  const hold = async (wanted: readonly Claim[]): Promise<readonly LockHolder[]> => {
    await store.put(own, lockBytes(locker.process, locker.now(), wanted));
    return otherHolders(locker, id);
  };
  return { takenOver, joined: others.length > 0, hold, release };
}

const WITHDRAWAL = { tries: 40, milliseconds: 25 } as const;

/** Who else holds the stack now that one's own lock lies there. With the least id, those in the way get the time to withdraw. */
async function rivals(locker: Locker, id: StackId, claims: readonly Claim[]): Promise<readonly LockHolder[]> {
  for (let tries = 1; ; tries += 1) {
    const others = await otherHolders(locker, id);
    const inTheWay = others.filter((other) => isInTheWay(other, claims));
    const withdraws = inTheWay.some((other) => other.id < locker.id);
    if (inTheWay.length === 0 || withdraws || tries === WITHDRAWAL.tries) return others;
    await pause(WITHDRAWAL.milliseconds);
  }
}

/** The other tool's locks, and those that cannot be read, are always in the way. */
function isInTheWay(holder: LockHolder, claims: readonly Claim[]): boolean {
  const alone = !leavesRoom(holder.claims) || !leavesRoom(claims);
  return !holder.ours || alone || collisionWith(holder, claims) !== undefined;
}

function collisionWith({ claims: held }: LockHolder, claims: readonly Claim[]): Conflict | undefined {
  return findConflict([{ changeId: '', changeKind: '', claims: held }], claims);
}

async function otherHolders(locker: Locker, id: StackId): Promise<readonly LockHolder[]> {
  return (await lockHolders(locker.store, id)).filter((holder) => holder.id !== locker.id);
}

/**
 * Fails when the lock is not there any more: somebody removed it (`cairn cancel`), so that another process may have the stack by now. For
 * a process that was paused for long.
 */
export async function requireLock(
  locker: Pick<Locker, 'store' | 'id'>,
  id: StackId,
  kept: string,
): Promise<void> {
  if ((await locker.store.get(layout.lock(id, locker.id))) !== undefined) return;
  throw cairnError(
    'CAIRN-STATE-LOCKED',
    `the lock on stack "${id.stack}" was taken away from this operation: it begins nothing more`,
    { causes: ['somebody removed the lock while this operation ran'], hint: kept },
  );
}

/** The whole stack against the whole stack is a matter of who was first; else the resource that both want is named. */
async function refused(
  locker: Locker,
  id: StackId,
  claims: readonly Claim[],
  seen?: readonly LockHolder[],
): Promise<CairnError> {
  const others = seen ?? (await otherHolders(locker, id));
  const inTheWay = others.filter((other) => isInTheWay(other, claims));
  const ours = inTheWay.filter((other) => other.ours && (leavesRoom(claims) || leavesRoom(other.claims)));
  if (ours.length === 0 || ours.length < inTheWay.length) return locked(others, locker, id);
  const journals = await openJournals(locker.store, id).catch(() => []);
  const conflict =
    conflictWith(locker.id, claims, ours, journals) ?? collisionWith(ours[0] as LockHolder, claims);
  if (conflict === undefined) return locked(others, locker, id);
  return new ChangeConflictError(
    id,
    conflict,
    await Promise.all(ours.map((holder) => causeOf(holder, locker))),
  );
}

async function locked(holders: readonly LockHolder[], locker: Locker, id: StackId): Promise<CairnError> {
  const dead = holders.length > 0 && holders.every((holder) => isGone(holder, locker.process));
  const hint = dead
    ? 'Its process does not run any more on this machine. Remove the lock with `cairn cancel`, then run the command again.'
    : 'Wait until it is done. When nobody works on the stack, remove the lock with `cairn cancel`.';
  return cairnError('CAIRN-STATE-LOCKED', `stack "${id.stack}" is locked: somebody else works on it`, {
    causes: await Promise.all(holders.map((holder) => causeOf(holder, locker))),
    hint,
  });
}

async function causeOf(holder: LockHolder, { store, now, doing }: Locker): Promise<string> {
  // What else is wrong with the stack must not hide who holds it.
  const change = await doing?.(holder).catch(() => undefined);
  const what = change === undefined ? '' : `, ${change}`;
  return `${whoHolds(holder, now())}${what}: ${store.url}/${holder.key}`;
}

function whoHolds(holder: LockHolder, now: Date): string {
  if (holder.problem !== undefined) return `a lock file that cannot be read (${holder.problem})`;
  const ahead = Date.parse(holder.timestamp) - now.getTime() > SKEW_MS;
  const odd = ahead ? ', which is in the future: a clock is wrong, here or there' : '';
  return `${holder.username}@${holder.hostname} (process ${holder.pid}) since ${holder.timestamp}${odd}`;
}

/** Clocks of two machines may differ by so much without a word. */
const SKEW_MS = 5 * 60_000;
