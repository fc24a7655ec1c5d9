import { cairnError } from '@cairn/diagnostics';

/** A task as a user names it: `7/12` is task 12 of change 7. */
export interface TaskId {
  readonly change: number;
  readonly task: string;
}

/** Reads the id of a change: a number, with or without the zeros that its directory has. Throws CAIRN-USAGE. */
export function parseChangeId(text: string): number {
  const number = /^0*([1-9]\d{0,14})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} is not the id of a change`, {
    hint: 'ids are numbers: `cairn changes` lists them',
  });
}

/** Reads `CHANGE/TASK`. Throws CAIRN-USAGE. */
export function parseTaskId(text: string): TaskId {
  const [, change, task] = /^0*([1-9]\d{0,14})\/([1-9]\d{0,14})$/.exec(text) ?? [];
  if (change !== undefined && task !== undefined) return { change: Number(change), task };
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} is not the id of a task`, {
    hint: 'a task is named by its change and its number, e.g. 7/12: `cairn change 7` lists them',
  });
}

/**
 * Reads the name of a step in doubt: `7/12`, or `state/1` for one that only the state knows of. Gives it as the engine names it. Throws
 * CAIRN-USAGE.
 */
export function parseDoubtId(text: string): string {
  if (/^state\/[1-9]\d{0,14}$/.test(text)) return text;
  const { change, task } = parseTaskId(text);
  return `${change}/${task}`;
}
