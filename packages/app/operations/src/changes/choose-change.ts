import { isUrn } from '@cairn/addresses';
import { cairnError } from '@cairn/diagnostics';
import { isPendingName } from '@cairn/state';

/** A task as a user names it: `7/12` is task 12 of change 7. */
interface TaskId {
  readonly change: number;
  readonly task: string;
}

/** Reads the id of a change: a number, with or without the zeros that its directory has. Throws CAIRN-USAGE. */
export function parseChangeId(text: string): number {
  const number = /^0*([1-9]\d{0,14})$/.exec(text)?.[1];
  if (number !== undefined) return Number(number);
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} is not the id of a change`, {
    hint: 'Pass a number from `cairn changes`.',
  });
}

const TASK = /^0*([1-9]\d{0,14})\/([1-9]\d{0,14})$/;

/** Reads `CHANGE/TASK`. Throws CAIRN-USAGE. */
export function parseTaskId(text: string): TaskId {
  const [, change, task] = TASK.exec(text) ?? [];
  if (change !== undefined && task !== undefined) return { change: Number(change), task };
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} is not the id of a task`, {
    hint: 'Pass the number of the change and of the task, e.g. 7/12, from `cairn change 7`.',
  });
}

/**
 * Reads the name of a step in doubt: its own (`3f9a2c1b`), the URN of its resource, or a task that began it or tried to
 * find out about it (`7/12`). Throws CAIRN-USAGE.
 */
export function parseDoubtId(text: string): string {
  if (isPendingName(text) || isUrn(text)) return text;
  const [, change, task] = TASK.exec(text) ?? [];
  if (change !== undefined && task !== undefined) return `${Number(change)}/${task}`;
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} does not name a step in doubt`, {
    hint: 'Pass the name of the step, eight letters and digits from `cairn resume` or `cairn rollback`, or the URN of its resource.',
  });
}

/** A change on a command line: by id, or as the newest of a kind. */
export interface ChangeChoice {
  readonly id: string | undefined;
  /** A kind of change. With `?` at its end, a change need not exist. */
  readonly last: string | undefined;
}

/** A parsed choice. */
type ChosenChange =
  | { readonly t: 'number'; readonly number: number }
  | { readonly t: 'newest'; readonly word: string; readonly kind: string; readonly optional: boolean };

/** Reads a choice [CHG-23]. Throws CAIRN-USAGE when both or neither are given. */
export function parseChoice({ id, last }: ChangeChoice): ChosenChange {
  if (id !== undefined && last !== undefined)
    throw cairnError('CAIRN-USAGE', 'cannot use a change id and --last together');
  if (id !== undefined) return { t: 'number', number: parseChangeId(id) };
  if (last === undefined)
    throw cairnError('CAIRN-USAGE', 'no change was given', {
      hint: 'Pass its id, as `cairn changes` lists it, or --last=KIND, e.g. --last=up.',
    });
  const optional = last.endsWith('?');
  const word = optional ? last.slice(0, -1) : last;
  return { t: 'newest', word, kind: KIND_NAMES.get(word) ?? word, optional };
}

/** Other words for kinds, from names of commands. */
const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ['update', 'up'],
  ['down', 'destroy'],
]);
