import { cairnError } from '@cairn/diagnostics';
import type { CurrentOperation } from '../backend.js';
import type { StackId } from '../stack-id.js';
import type { ServiceContext } from './service-context.js';
import { currentIn, existingStack } from './service-stacks.js';
import type { ServiceStack } from './service-stacks.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Waits, for as long as the backend may, until no update runs on a stack, and returns the stack. Fails with
 * `CAIRN-STATE-LOCKED` if one still does, and with `CAIRN-CANCELLED` when interrupted.
 */
export async function idleStack(
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
