import { cairnError } from '@cairn/diagnostics';
import { parseChangeId } from './change-id.js';

/** What a listing knows of a change, as far as choosing one needs it. */
export interface Choosable {
  readonly number: number;
  readonly kind: string;
}

/** How a command line names a change: by id, or as the newest of a kind. */
export interface ChangeChoice {
  readonly id: string | undefined;
  /** A kind; with `?` at its end it is no mistake when there is none. */
  readonly last: string | undefined;
}

/**
 * The change that is meant, of `changes` in any order; undefined when `--last=KIND?` finds none [CHG-23]. Throws
 * CAIRN-USAGE when both or neither are given, CAIRN-CHANGE-UNKNOWN when there is no such change.
 */
export function chooseChange<T extends Choosable>(
  changes: readonly T[],
  choice: ChangeChoice,
): T | undefined {
  const { id, last } = choice;
  if (id !== undefined && last !== undefined)
    throw cairnError('CAIRN-USAGE', 'cannot use a change id and --last together');
  if (id !== undefined) return withNumber(changes, parseChangeId(id));
  if (last !== undefined) return newestOf(changes, last);
  throw cairnError('CAIRN-USAGE', 'which change is not said', {
    hint: 'give its id, as `cairn changes` lists it, or --last=KIND, e.g. --last=up',
  });
}

/** The change of this number. Throws CAIRN-CHANGE-UNKNOWN. */
export function withNumber<T extends Choosable>(changes: readonly T[], number: number): T {
  const found = changes.find((change) => change.number === number);
  if (found !== undefined) return found;
  throw cairnError('CAIRN-CHANGE-UNKNOWN', `there is no change ${number}`, {
    hint: '`cairn changes` lists those whose record is kept',
  });
}

function newestOf<T extends Choosable>(changes: readonly T[], last: string): T | undefined {
  const optional = last.endsWith('?');
  const kind = optional ? last.slice(0, -1) : last;
  let newest: T | undefined;
  for (const change of changes) {
    if (change.kind !== kindName(kind)) continue;
    if (newest === undefined || change.number > newest.number) newest = change;
  }
  if (newest !== undefined || optional) return newest;
  throw cairnError('CAIRN-CHANGE-UNKNOWN', `no changes of type "${kind}" found`, {
    hint: '`cairn changes` lists those whose record is kept',
  });
}

/** Other words for the names of commands that kinds have. */
const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ['update', 'up'],
  ['down', 'destroy'],
]);

function kindName(kind: string): string {
  return KIND_NAMES.get(kind) ?? kind;
}
