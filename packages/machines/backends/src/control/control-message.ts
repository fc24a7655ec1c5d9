import type { JsonObject } from '@cairn/state';

/** What somebody says about a step in doubt: the object exists under this id, or it was never made. */
type DoubtAnswer = { readonly created: string } | 'not-created';

/**
 * What another process tells an operation. `by`: who says so, for the record. `task`: a task of the change it is told
 * to. `abort`: stop, and undo what was done when `rollback`. `approve`: a gate may be passed. `resolve`: how a step in
 * doubt ended.
 */
export type ControlMessage =
  | { readonly t: 'abort'; readonly rollback: boolean; readonly by: string }
  | { readonly t: 'approve'; readonly task: string; readonly by: string }
  | { readonly t: 'resolve'; readonly task: string; readonly answer: DoubtAnswer; readonly by: string };

/** Reads a message out of a file's content; undefined when it is none. */
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
  if (answer === 'not-created') return answer;
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { created } = answer as { created?: unknown };
  return typeof created === 'string' && created !== '' ? { created } : undefined;
}
