import type { ControlMessage } from '@cairn/backends';
import { unreachable } from '@cairn/diagnostics';
import type { MessageResult } from '@cairn/operations/stacks';
import { cancelledLine, named } from './interrupts.js';

/**
 * Describes a message of another process. `steps` lists the steps that ran when it arrived, with their durations.
 * `graceMs` is the time in which steps must end after a request, in milliseconds.
 */
export function messageResultText(
  message: ControlMessage,
  result: MessageResult,
  steps: readonly string[],
  graceMs: number,
): string {
  switch (result.t) {
    case 'abort':
      return `${message.by} asks to stop${abortText(result.how, steps, graceMs)}`;
    case 'approve': {
      const agrees = `${message.by} approves task ${taskOf(message)}`;
      return result.waits ? agrees : `${agrees}, which is not waiting for that`;
    }
    case 'resolve':
      return `${message.by} answered for task ${taskOf(message)}; the answer takes effect when the change is resumed`;
    default:
      return unreachable(result);
  }
}

function taskOf(message: ControlMessage): string {
  return message.t === 'abort' ? '' : message.task;
}

function abortText(
  how: (MessageResult & { readonly t: 'abort' })['how'],
  steps: readonly string[],
  graceMs: number,
): string {
  const waits = steps.length === 0 ? '' : `; waiting for running ones: ${named(steps)}`;
  switch (how) {
    case 'too-late':
      return ', too late: everything is already done';
    case 'undo':
      return `: no further step starts, and what was done is rolled back${waits}`;
    case 'keep':
      return `: no further step starts${waits}`;
    case 'cancelled':
      return ` once more: ${cancelledLine(steps, graceMs)}`;
    case 'left':
      return ` at once${steps.length === 0 ? '' : `; in doubt: ${named(steps)}`}`;
  }
}
