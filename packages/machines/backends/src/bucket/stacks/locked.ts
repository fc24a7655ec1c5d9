import type { Diagnostic } from '@cairn/diagnostics';
import type { Claim } from '@cairn/changes';
import type { BackendContext } from '../backend-context.js';
import { ALL } from '../claims/claims.js';
import { ChangeConflictError, conflictWith, openJournals } from '../claims/held-claims.js';
import { getJournalFile } from '../journal/journal-files.js';
import { Journals, listJournals } from '../journal/journals.js';
import { JOURNAL_FILES, layout } from '../layout.js';
import { isLeaseLost } from '../../model/lease-lost.js';
import type { Wait } from '../locks/queue.js';
import { refuseWhileLocked, takeLock } from '../locks/stack-lock.js';
import type { HeldLock, Locker, TakenOver } from '../locks/stack-lock.js';
import type { FinishedChange } from '../../model/change-row.js';
import { recordKind } from '../records/change-files.js';
import { recoverStack } from '../recovery/recover.js';
import type { StackId } from '../../stack-id.js';
import { checkWrites } from './check-writes.js';
import { ensureMeta } from './meta.js';
import type { LockHolder } from '../../model/lock-holder.js';

/** Locked stack, with the leftovers of dead operations folded into its checkpoint. */
interface LockedStack {
  readonly lock: HeldLock;
  readonly notes: readonly Diagnostic[];
  readonly finished: readonly FinishedChange[];
  /** Journals as recovery left them, or as they are now if others of ours hold parts of the stack. */
  readonly journals: Journals;
  /** True if nothing was written but the lock: what was read under the lock since is as it was. */
  readonly untouched: boolean;
}

/**
 * Locks the stack and recovers it. A lock is taken over only if it was one of ours, which its mark or a journal shows.
 * Besides, its process must be gone from this machine, or the lock was not renewed for its whole term. Any other lock
 * stays, and the error says what is known of it. When others of ours run beside, dead operations wait for the last of
 * them to end. `whenLocked` is called as soon as the lock is held, before anything is recovered.
 */
export async function lockAndRecover(
  context: BackendContext,
  id: StackId,
  claims: readonly Claim[] = ALL,
  interrupted?: () => boolean,
  whenLocked?: (lock: HeldLock) => void,
): Promise<LockedStack> {
  const locker = await lockerOf(context, id, interrupted);
  return inTurn(locker, waitOf(context, id, claims), (quiet) =>
    lockOnce(context, quiet, id, claims, whenLocked),
  );
}

async function lockOnce(
  context: BackendContext,
  locker: Locker,
  id: StackId,
  claims: readonly Claim[],
  whenLocked?: (lock: HeldLock) => void,
): Promise<LockedStack> {
  const lock = await takeLock(locker, id, (holder) => wasOurs(context, id, holder), claims);
  try {
    whenLocked?.(lock);
    const taken = [...(await checkWrites(context.store)), ...lock.takenOver.map(takeoverNote)];
    if (lock.joined) {
      const journals = await Journals.of(context.store, id);
      await refuseOverlap(context, id, claims, journals);
      return { lock, notes: taken, finished: [], journals, untouched: true };
    }
    const { notes, ...recovered } = await recoverStack(context, id);
    return { lock, notes: [...taken, ...notes], ...recovered };
  } catch (thrown) {
    // A process that was overtaken finds data that makes no sense to it.
    const lost = await lock.confirm().catch((error: unknown) => error);
    await lock.release().catch(() => undefined);
    throw isLeaseLost(lost) ? lost : thrown;
  }
}

/** Takes only the lock, for a stack that does not exist yet, or is to be removed whatever its state. */
export async function lockStack(
  context: BackendContext,
  id: StackId,
  claims: readonly Claim[] = ALL,
  interrupted?: () => boolean,
): Promise<HeldLock> {
  const locker = await lockerOf(context, id, interrupted);
  return inTurn(locker, waitOf(context, id, claims), (quiet) =>
    takeLock(quiet, id, (holder) => wasOurs(context, id, holder), claims),
  );
}

/** Waits, for as long as the backend may, until no process works on the stack. Locks nothing. Fails as locking does. */
export async function awaitUnlocked(
  context: BackendContext,
  id: StackId,
  interrupted?: () => boolean,
): Promise<void> {
  if (context.waitForLockMs === 0) return;
  const wait = { ...waitOf(context, id, ALL), queues: false };
  await inTurn(makeLocker(context, id, interrupted), wait, (quiet) => refuseWhileLocked(quiet, id));
}

/** Loads the code for waiting only if there may be something to wait for. */
async function inTurn<T>(locker: Locker, wait: Wait, take: (locker: Locker) => Promise<T>): Promise<T> {
  if (wait.ms === 0) return take(locker);
  const { takeInTurn } = await import('../locks/queue.js');
  return takeInTurn(locker, wait, take);
}

function waitOf({ waitForLockMs }: BackendContext, id: StackId, claims: readonly Claim[]): Wait {
  return { id, claims, ms: waitForLockMs, queues: true };
}

/** Returns the locker, after making sure that the store can be locked. */
async function lockerOf(
  context: BackendContext,
  id: StackId,
  interrupted: (() => boolean) | undefined,
): Promise<Locker> {
  const ready = checkWrites(context.store);
  ready.catch(() => undefined);
  if (!context.marked || context.waitForLockMs > 0) {
    // A new store is marked, and a turn is drawn, by a conditional write.
    await ready;
    if (!context.marked) await ensureMeta(context.store, context.settings);
  }
  return { ...makeLocker(context, id, interrupted), ready };
}

function makeLocker(context: BackendContext, id: StackId, interrupted: (() => boolean) | undefined): Locker {
  const { store, instance, process, now, held, timer, settings, waiting } = context;
  const doing = (holder: LockHolder): Promise<string | undefined> => changeUnder(context, id, holder);
  const { lease, stackLock: under } = settings;
  return { store, id: instance, process, now, timer, lease, held, under, doing, waiting, interrupted };
}

/**
 * Refuses claims that collide with open journals. An operation that joins others builds on the checkpoint that they
 * began with. It lacks the results of those that have ended or died since.
 */
async function refuseOverlap(
  { store, instance }: BackendContext,
  id: StackId,
  claims: readonly Claim[],
  journals: Journals,
): Promise<void> {
  const conflict = conflictWith(instance, claims, [], await openJournals(store, id, journals));
  if (conflict !== undefined) throw new ChangeConflictError(id, conflict);
}

/** Describes the change that runs under a lock. */
async function changeUnder(
  { store }: BackendContext,
  id: StackId,
  holder: LockHolder,
): Promise<string | undefined> {
  for (const { change, number, files } of (await listJournals(store, id)).toReversed()) {
    if (files.has(JOURNAL_FILES.sealed)) continue;
    const operation = await getJournalFile(store, layout.journalOf(id, change), 'operation');
    if (operation?.lock === holder.id) return `it is running change ${number} (${recordKind(operation)})`;
  }
  return undefined;
}

/**
 * Returns true if the lock says so, or some journal waits to be folded, or a journal names the lock. In the last case
 * its operation, or the process that took it over, died before releasing the lock.
 */
async function wasOurs(context: BackendContext, id: StackId, holder: LockHolder): Promise<boolean> {
  if (holder.ours) return true;
  for (const { change, files } of await listJournals(context.store, id)) {
    if (!files.has(JOURNAL_FILES.sealed)) return true;
    const directory = layout.journalOf(id, change);
    for (const kind of ['operation', 'fold', 'sealed'] as const) {
      if ((await getJournalFile(context.store, directory, kind))?.lock === holder.id) return true;
    }
  }
  return false;
}

function takeoverNote({ holder, because }: TakenOver): Diagnostic {
  const { username, hostname, pid, timestamp, lease } = holder;
  const why =
    because === 'gone'
      ? `removed the lock of process ${pid}, which is no longer running`
      : `took over the stack from process ${pid} on ${hostname}: its lock was not renewed for ${(lease?.termMs ?? 0) / 1000} s`;
  return {
    severity: 'info',
    code: 'CAIRN-STATE-LOCKED',
    summary: why,
    causes: [`held by ${username}@${hostname} since ${timestamp}`],
  };
}
