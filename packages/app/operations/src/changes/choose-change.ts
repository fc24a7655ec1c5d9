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
    hint: 'Ids are numbers: `cairn changes` lists them.',
  });
}

const TASK = /^0*([1-9]\d{0,14})\/([1-9]\d{0,14})$/;

/** Reads `CHANGE/TASK`. Throws CAIRN-USAGE. */
export function parseTaskId(text: string): TaskId {
  const [, change, task] = TASK.exec(text) ?? [];
  if (change !== undefined && task !== undefined) return { change: Number(change), task };
  throw cairnError('CAIRN-USAGE', `${JSON.stringify(text)} is not the id of a task`, {
    hint: 'A task is named by its change and its number, e.g. 7/12: `cairn change 7` lists them.',
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
    hint: 'A step in doubt has a name of eight letters and digits: `cairn resume` and `cairn rollback` say it; the URN of its resource does as well.',
  });
}

/** A change on a command line: by id, or as the newest of a kind. */
export interface ChangeChoice {
  readonly id: string | undefined;
  /** A kind; with `?` at its end it is no error if there is none. */
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
    throw cairnError('CAIRN-USAGE', 'which change is not said', {
      hint: 'Give its id, as `cairn changes` lists it, or --last=KIND, e.g. --last=up.',
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
