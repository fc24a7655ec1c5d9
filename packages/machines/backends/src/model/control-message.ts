import type { Diagnostic } from '@cairn/diagnostics';
import type { JsonObject } from '@cairn/state';

/**
 * Answer about a step in doubt. About a create: the object exists under this id, or it was never created. About a step
 * on an object that existed: the step was done, or it was not.
 */
type DoubtAnswer = { readonly created: string } | 'not-created' | { readonly done: true } | 'not-done';

/**
 * Message of another process to an operation. `by` is its author, for the record. `task` is the task of the change that
 * it is about. `abort` stops the operation, and undoes what was done when `rollback` is set. `approve` passes a gate.
 * `resolve` says how a step in doubt ended.
 */
export type ControlMessage =
  | { readonly t: 'abort'; readonly rollback: boolean; readonly by: string }
  | { readonly t: 'approve'; readonly task: string; readonly by: string }
  | { readonly t: 'resolve'; readonly task: string; readonly answer: DoubtAnswer; readonly by: string };

/**
 * Recipient of messages. `warn` receives a message that cannot be read, or (once in a row) the failure to look for
 * messages.
 */
export interface MessageListener {
  readonly hear: (message: ControlMessage) => void;
  readonly warn: (diagnostic: Diagnostic) => void;
}

/** Reads a message from a file's content. Returns undefined if it is none. */
export function takeControlMessage(file: JsonObject): ControlMessage | undefined {
  const { t, by, task, rollback, answer } = file;
  if (typeof by !== 'string') return undefined;
  if (t === 'abort') return typeof rollback === 'boolean' ? { t, rollback, by } : undefined;
  if (typeof task !== 'string' || !/^\d{1,15}$/.test(task)) return undefined;
  if (t === 'approve') return { t, task, by };
  const said = takeAnswer(answer);
  return t === 'resolve' && said !== undefined ? { t, task, answer: said, by } : undefined;
}

function takeAnswer(answer: unknown): DoubtAnswer | undefined {
  if (answer === 'not-created' || answer === 'not-done') return answer;
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { created, done } = answer as { created?: unknown; done?: unknown };
  if (done === true) return { done };
  return typeof created === 'string' && created !== '' ? { created } : undefined;
}
