import { setTimeout as pause } from 'node:timers/promises';
import { findConflict } from '@cairn/changes';
import type { Claim, Conflict } from '@cairn/changes';
import { cairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { ALL, leavesRoom } from '../claims/claims.js';
import { ChangeConflictError, conflictWith, openJournals } from '../claims/held-claims.js';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import { lockHolders } from './lock-file.js';
import { OwnLock } from './own-lock.js';
import type { LockKeeping } from './own-lock.js';
import { holderStateOf, isGone, verdictOn } from './holder-state.js';
import type { HolderState } from './holder-state.js';
import { watchLeases } from './watch.js';
import type { HolderProcess, LockHolder } from '../../model/lock-holder.js';

/** Identity and rules for taking locks. `id` is the UUID of this backend instance, used for all its locks. */
export interface Locker extends LockKeeping {
  /** Keys of the locks that this instance holds: one operation at a time on a stack, within a process too. */
  readonly held: Set<string>;
  /** Resolves when it is known whether conditional writes hold. Nothing is written before. */
  readonly ready?: Promise<unknown> | undefined;
  /** Id of a person's lock under which this works. It is not in the way, and must be there [STORE-16]. */
  readonly under?: string | undefined;
  /** Describes what the holder of a lock does, if that is known: `it runs change 7 (up)`. */
  readonly doing?: (holder: LockHolder) => Promise<string | undefined>;
  /** Notified before waiting for the lock. */
  readonly waiting?: ((text: string) => void) | undefined;
  /** Returns true if the waiting caller wants to stop. */
  readonly interrupted?: (() => boolean) | undefined;
}

/** Lock that was removed, and the reason. */
export interface TakenOver {
  readonly holder: LockHolder;
  /** `gone`: its process has ended. `silent`: it was not renewed for its whole term. */
  readonly because: 'gone' | 'silent';
}

/** Lock that is held. `takenOver` are locks that were removed for it. */
export interface HeldLock {
  readonly takenOver: readonly TakenOver[];
  /** True if other operations of ours hold parts of the stack beside this one. */
  readonly joined: boolean;
  /**
   * Replaces the claims, which are durable when it resolves. Resolves with the other locks that exist after that. Fails
   * with `CAIRN-LEASE-LOST`, as the next two do.
   */
  hold(claims: readonly Claim[]): Promise<readonly LockHolder[]>;
  /** Confirms that the lock is still there. */
  confirm(): Promise<void>;
  /** Same as {@link confirm}, but a reading of the last seconds counts on a store behind a network. */
  confirmLately(): Promise<void>;
  /** Does work that only the holder may do; see `OwnLock.during`. */
  during(work: () => Promise<void>): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the stack's lock the way the other tool does [STORE-11]: look, write one's own, look again. Fails with
 * `CAIRN-STATE-LOCKED` naming every holder.
 *
 * Locks in the way are removed when their process is gone and `mayTakeOver` allows it, or when they were watched for
 * their whole term without a renewal. If several of ours begin at once, the one with the least id gets the lock after
 * the others have withdrawn. The other tool always withdraws. One of ours that claims only a part of the stack may hold
 * it beside others of ours whose claims leave that part alone. Where claims collide it fails with
 * `CAIRN-CHANGE-CONFLICT` [REC-16].
 */
export async function takeLock(
  locker: Locker,
  id: StackId,
  mayTakeOver: (holder: LockHolder) => Promise<boolean>,
  claims: readonly Claim[] = ALL,
): Promise<HeldLock> {
  const key = layout.lock(id, locker.id);
  await refuseWithout(locker, id);
  if (locker.held.has(key))
    throw await locked(
      (await lockHolders(locker.store, id)).filter((holder) => holder.key === key),
      locker,
      id,
    );
  const takenOver = await clearWay(locker, id, mayTakeOver, claims);
  await locker.ready;
  locker.held.add(key);
  const own = await OwnLock.write(locker, id, claims).catch(async (thrown: unknown) => {
    locker.held.delete(key);
    // The lock may have been written although the store returned an error, or a wrong answer.
    await locker.store.delete(key).catch(() => undefined);
    throw thrown;
  });
  const release = async (): Promise<void> => {
    locker.held.delete(key);
    await own.release();
  };
  const others = await rivals(locker, id, claims).catch(async (thrown: unknown) => {
    await release();
    throw thrown;
  });
  if (others.some((other) => isInTheWay(other, claims))) {
    await release();
    throw await refused(locker, id, claims, others);
  }
  const hold = async (wanted: readonly Claim[]): Promise<readonly LockHolder[]> => {
    await own.hold(wanted);
    return otherHolders(locker, id);
  };
  return {
    takenOver,
    joined: others.length > 0,
    hold,
    confirm: () => own.confirm(),
    confirmLately: () => own.confirmLately(),
    during: (work) => own.during(work),
    release,
  };
}

async function refuseWithout({ store, under }: Locker, id: StackId): Promise<void> {
  if (under === undefined) return;
  const holders = await lockHolders(store, id);
  if (holders.some((holder) => holder.id === under && holder.reason !== undefined)) return;
  throw cairnError('CAIRN-LEASE-LOST', `stack "${id.stack}" is no longer locked by ${under}`, {
    causes: ['CAIRN_STACK_LOCK names the lock that this command needs'],
    hint: 'Unset CAIRN_STACK_LOCK, or lock the stack again with `cairn stack lock`.',
  });
}

/** Removes those locks in the way that may be removed, once nothing else is in the way. */
async function clearWay(
  locker: Locker,
  id: StackId,
  mayTakeOver: (holder: LockHolder) => Promise<boolean>,
  claims: readonly Claim[],
): Promise<readonly TakenOver[]> {
  for (;;) {
    const gone: LockHolder[] = [];
    const silent: LockHolder[] = [];
    for (const holder of await otherHolders(locker, id)) {
      const verdict = verdictOn(holder, locker.process, locker.lease.takeover);
      if (verdict === 'remove' && (await mayTakeOver(holder))) gone.push(holder);
      else if (!isInTheWay(holder, claims)) continue;
      else if (verdict === 'watch') silent.push(holder);
      else throw await refused(locker, id, claims);
    }
    if (silent.length > 0) {
      locker.waiting?.(waitingText(id, silent));
      const watched = await watchLeases(locker, silent);
      if (watched === 'renewed') throw await refused(locker, id, claims);
      if (watched === 'released') continue;
    }
    for (const holder of [...gone, ...silent]) await removeLock(locker, id, claims, holder);
    return [
      ...gone.map((holder) => ({ holder, because: 'gone' as const })),
      ...silent.map((holder) => ({ holder, because: 'silent' as const })),
    ];
  }
}

/** Removes the lock only as it was seen: one that is renewed at the last moment stays. */
async function removeLock(
  locker: Locker,
  id: StackId,
  claims: readonly Claim[],
  { key, version }: LockHolder,
): Promise<void> {
  const removed = await locker.store.delete(key, { ifVersion: version });
  if (!removed.ok && removed.reason === 'changed') throw await refused(locker, id, claims);
}

function waitingText({ stack }: StackId, holders: readonly LockHolder[]): string {
  const seconds = Math.max(...holders.map(({ lease }) => lease?.termMs ?? 0)) / 1000;
  const who = holders.map(({ username, hostname }) => `${username}@${hostname}`).join(', ');
  return `stack "${stack}" is locked by ${who}: waiting up to ${seconds} s to see whether the lock is still renewed`;
}

const WITHDRAWAL = { tries: 40, milliseconds: 25 } as const;

/**
 * Returns the other holders of the stack, after one's own lock was written. If its id is the least, it gives those in
 * the way time to withdraw.
 */
async function rivals(locker: Locker, id: StackId, claims: readonly Claim[]): Promise<readonly LockHolder[]> {
  for (let tries = 1; ; tries += 1) {
    const others = await otherHolders(locker, id);
    const inTheWay = others.filter((other) => isInTheWay(other, claims));
    const withdraws = inTheWay.some((other) => other.id < locker.id);
    if (inTheWay.length === 0 || withdraws || tries === WITHDRAWAL.tries) return others;
    await pause(WITHDRAWAL.milliseconds);
  }
}

/**
 * Returns true if a lock, or a turn in the queue, makes an operation with these claims wait. The other tool's locks,
 * and those that cannot be read, always do.
 */
export function isInTheWay(holder: LockHolder, claims: readonly Claim[]): boolean {
  const alone = !leavesRoom(holder.claims) || !leavesRoom(claims);
  return !holder.ours || alone || collisionWith(holder, claims) !== undefined;
}

function collisionWith({ claims: held }: LockHolder, claims: readonly Claim[]): Conflict | undefined {
  return findConflict([{ changeId: '', changeKind: '', claims: held }], claims);
}

/** Fails as {@link takeLock} does while the stack is locked, by anything but a process that is gone. */
export async function refuseWhileLocked(locker: Locker, id: StackId): Promise<void> {
  const holders = await lockHolders(locker.store, id);
  if (holders.some((holder) => holder.id !== locker.under && !isGone(holder, locker.process)))
    throw await locked(holders, locker, id);
}

async function otherHolders(locker: Locker, id: StackId): Promise<readonly LockHolder[]> {
  const own = locker.under === undefined ? [locker.id] : [locker.id, locker.under];
  return lockHolders(
    locker.store,
    id,
    own.map((each) => layout.lock(id, each)),
  );
}

/**
 * Returns the error for colliding claims. If both want the whole stack, the first one wins. Otherwise the error names
 * the resource that both want.
 */
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
  const why = holders.some(({ reason }) => reason !== undefined)
    ? `"${id.stack}" was locked by a person`
    : `another process works on "${id.stack}"`;
  const what = `the stack is currently locked by ${holders.length} lock(s): ${why}`;
  return cairnError('CAIRN-STATE-LOCKED', what, {
    causes: await Promise.all(holders.map((holder) => causeOf(holder, locker))),
    hint: whatNext(holders, locker.process),
  });
}

async function causeOf(holder: LockHolder, locker: Locker): Promise<string> {
  const { store, now, doing } = locker;
  // Other problems of the stack must not hide its holder.
  const change = await doing?.(holder).catch(() => undefined);
  const what = change === undefined ? '' : `, ${change}`;
  return `${whoHolds(holder, now())}${what}: ${store.url}/${holder.key}`;
}

/** Returns advice about locks in the way, as a careful operator would act. */
function whatNext(holders: readonly LockHolder[], self: HolderProcess): string {
  if (holders.some(({ reason }) => reason !== undefined))
    return 'Ask the person who locked it, or remove the lock with `cairn stack unlock`; `cairn cancel` does not remove it.';
  const states = holders.map((holder) => holderStateOf(holder, self));
  const every = (state: HolderState): boolean => states.length > 0 && states.every((each) => each === state);
  if (every('gone'))
    return 'Remove the lock with `cairn cancel`, then run the command again: its process no longer runs on this machine.';
  if (every('stopped'))
    return 'Continue its process, which is stopped on this machine (`fg`, or `kill -CONT` with its number), or end it, then run the command again.';
  const leased =
    states.includes('elsewhere') && holders.every(({ ours, lease }) => ours && lease !== undefined);
  const over = leased
    ? ' If its machine is gone or asleep, run the command with CAIRN_LEASE_TAKEOVER=always: it watches the lock and takes over the stack if the lock is not renewed.'
    : '';
  return `Wait until it is done.${over} If no process works on the stack, remove the lock with \`cairn cancel\`.`;
}

function whoHolds(holder: LockHolder, now: Date): string {
  if (holder.problem !== undefined) return `a lock file that cannot be read (${holder.problem})`;
  if (holder.reason !== undefined)
    return `locked by ${holder.username}@${holder.hostname} since ${holder.timestamp}: ${holder.reason}`;
  const ahead = Date.parse(holder.timestamp) - now.getTime() > SKEW_MS;
  const odd = ahead ? ', which is in the future: the clock of one of the machines is wrong' : '';
  return `${holder.username}@${holder.hostname} (process ${holder.pid}) since ${holder.timestamp}${odd}${renewed(holder, now)}`;
}

/** Describes the last renewal. For display only: the store's clock is not ours. */
function renewed({ lease, modified }: LockHolder, now: Date): string {
  const seconds = Math.floor((now.getTime() - modified) / 1000);
  return lease === undefined || seconds * 1000 < lease.termMs ? '' : `, last renewed about ${seconds} s ago`;
}

/** Two machines' clocks may differ by this much without a warning. */
const SKEW_MS = 5 * 60_000;
