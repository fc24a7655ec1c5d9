import { cairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { CurrentOperation } from '../backend.js';
import { isGone } from '../bucket/locks/holder-state.js';
import { lockHolders } from '../bucket/locks/lock-file.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { recordsOf } from './service-changes.js';
import { cancelCurrent, currentIn, existingStack } from './service-stacks.js';
import type { ServiceStack } from './service-stacks.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** Stack on which no update runs. `notes` say what was done about updates of processes that are gone. */
interface IdleStack {
  readonly stack: ServiceStack;
  readonly notes: readonly Diagnostic[];
}

/**
 * Waits, for as long as the backend may, until no update runs on a stack, and returns the stack. Cancels an update
 * whose process ran on this machine and is gone, as it would take over the lock of one on a bucket. Fails with
 * `CAIRN-STATE-LOCKED` if another one still runs, and with `CAIRN-CANCELLED` when interrupted.
 */
export async function idleStack(
  context: ServiceContext,
  id: StackId,
  interrupted: (() => boolean) | undefined,
): Promise<IdleStack> {
  const first = await existingStack(context, id);
  if (currentIn(first) === undefined) return { stack: first, notes: [] };
  const notes = await cancelGone(context, id, first);
  return { stack: await awaitIdle(context, id, interrupted), notes };
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
    if (pause === FIRST_PAUSE_MS) waiting?.(`waiting for ${described(current)} to end`);
    await new Promise<void>((resolve) => timer.after(pause, resolve));
    if (interrupted?.() === true)
      throw cairnError('CAIRN-CANCELLED', 'interrupted while waiting for the lock of the stack');
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
  }
}

/** Cancels the update that runs if it is one of ours whose process is gone from this machine. */
async function cancelGone(
  context: ServiceContext,
  id: StackId,
  { activeUpdate }: ServiceStack,
): Promise<readonly Diagnostic[]> {
  if (!(await context.keepsChanges())) return [];
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
    `the stack is currently locked by ${described(current)} on "${stack}"`,
    {
      hint: 'Run the command again when it is done, wait for it with --wait-for-lock, or end it with `cairn cancel`.',
    },
  );
}

function described({ kind, author, started }: CurrentOperation): string {
  return `the operation ${kind} of ${author === '' ? 'an unknown user' : author} (since ${started})`;
}
