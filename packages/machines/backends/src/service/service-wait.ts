import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { CurrentOperation } from '../backend.js';
import { isGone } from '../bucket/locks/holder-state.js';
import { lockHolders } from '../bucket/locks/lock-file.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { recordsOf } from './service-changes.js';
import { QueuePlace, awaitTurn } from './service-queue.js';
import { cancelCurrent, currentIn, describedOperation, existingStack } from './service-stacks.js';
import type { ServiceStack } from './service-stacks.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Stack on which no update runs. `notes` say what was done about updates of processes that are gone. `place` keeps
 * others from beginning an operation, if the service has a queue and the caller waits.
 */
interface IdleStack {
  readonly stack: ServiceStack;
  readonly notes: readonly Diagnostic[];
  readonly place: QueuePlace | undefined;
}

/**
 * Waits, for as long as the backend may, until no update runs on a stack, and returns the stack. Where the service has
 * a queue, those who wait get their turns in the order of asking. Cancels an update whose process ran on this machine
 * and is gone, as it would take over the lock of one on a bucket. Fails with `CAIRN-STATE-LOCKED` if another one still
 * runs, and with `CAIRN-CANCELLED` when interrupted.
 */
export async function idleStack(
  context: ServiceContext,
  id: StackId,
  interrupted: (() => boolean) | undefined,
): Promise<IdleStack> {
  if (context.waitForLockMs > 0 && (await context.capabilities()).hasQueue)
    return idleInTurn(context, id, interrupted);
  const first = await existingStack(context, id);
  if (currentIn(first) === undefined) return { stack: first, notes: [], place: undefined };
  const notes = await cancelGone(context, id, first);
  return { stack: await awaitIdle(context, id, interrupted), notes, place: undefined };
}

async function idleInTurn(
  context: ServiceContext,
  id: StackId,
  interrupted: (() => boolean) | undefined,
): Promise<IdleStack> {
  const place = new QueuePlace(context, id);
  let notes: readonly Diagnostic[] = [];
  const gone = async (): Promise<boolean> => {
    notes = await cancelGone(context, id, await existingStack(context, id));
    return notes.length > 0;
  };
  try {
    await awaitTurn(context, id, place, { interrupted, gone });
    place.keepOn();
    return { stack: await existingStack(context, id), notes, place };
  } catch (thrown) {
    await place.leave();
    throw thrown;
  }
}

/** Waits as {@link idleStack} does, and cancels nothing. */
export async function awaitIdle(
  context: ServiceContext,
  id: StackId,
  interrupted: (() => boolean) | undefined,
): Promise<ServiceStack> {
  const { timer, waitForLockMs, waiting } = context;
  const begun = timer.ticks();
  let pause = FIRST_PAUSE_MS;
  for (;;) {
    const stack = await existingStack(context, id);
    const current = currentIn(stack);
    if (current === undefined) return stack;
    if (timer.ticks() - begun + pause > waitForLockMs) throw lockedBy(id, current);
    if (pause === FIRST_PAUSE_MS) waiting?.(`waiting for ${describedOperation(current)} to end`);
    await new Promise<void>((resolve) => timer.after(pause, resolve));
    if (interrupted?.() === true)
      throw cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the lock of the stack');
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }
}

/**
 * Ends the update of a process that is gone from this machine, so that it is in the way of no edit, import, renaming or
 * removal. Returns what it did.
 */
export async function endGone(context: ServiceContext, id: StackId): Promise<readonly Diagnostic[]> {
  if (!(await context.capabilities()).keepsChanges) return [];
  const stack = await existingStack(context, id);
  return currentIn(stack) === undefined ? [] : cancelGone(context, id, stack);
}

/** Cancels the update that runs if it is one of ours whose process is gone from this machine. */
async function cancelGone(
  context: ServiceContext,
  id: StackId,
  { activeUpdate }: ServiceStack,
): Promise<readonly Diagnostic[]> {
  if (!(await context.capabilities()).keepsChanges) return [];
  const { store, process } = recordsOf(context, id);
  const holder = (await lockHolders(store, id)).find((each) => each.id === activeUpdate);
  if (holder === undefined || !isGone(holder, process)) return [];
  await cancelCurrent(context, id);
  return [
    {
      severity: 'info',
      code: 'CAIRN-STATE-LOCKED',
      summary: `cancelled the update of process ${holder.pid}, which is no longer running`,
      causes: [`held by ${holder.username}@${holder.hostname} since ${holder.timestamp}`],
    },
  ];
}

function lockedBy({ stack }: StackId, current: CurrentOperation): Error {
  return cairnError(
    'CAIRN-STATE-LOCKED',
    `the stack is currently locked by ${describedOperation(current)} on "${stack}"`,
    {
      hint: 'Run the command again when it is done, wait for it with --wait-for-lock, or end it with `cairn cancel`.',
    },
  );
}
