import type { CommandSpec } from '../command-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import { globalFlags } from '../flags/global.js';

/** A row with the words of a command. */
export type Named = Pick<CommandSpec, 'path' | 'aliases' | 'flags'>;

/** The words that name the command at the start of a command line, if there is one, and the flags it may have. */
interface Begun {
  readonly path: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** Index behind the last of those words. */
  readonly end: number;
}

/**
 * Reads a command line up to the last word that names a command. Values of flags before and between do not count as
 * words.
 */
export function commandOf(words: readonly string[], table: readonly Named[]): Begun {
  let path: readonly string[] = [];
  let flags: readonly FlagSpec[] = globalFlags;
  let end = 0;
  for (let at = 0; at < words.length && words[at] !== '--'; at++) {
    const word = words[at] as string;
    if (isFlagLike(word)) {
      if (takesNext(word, flags)) at++;
      continue;
    }
    const next = below(table, path, word);
    if (next === undefined) break;
    path = next;
    flags = flagsAt(table, path);
    end = at + 1;
  }
  return { path, flags, end };
}

/**
 * Moves a command in front of its own flags: `--stack dev stack init` becomes `stack init --stack dev`. A line that
 * begins with other words is returned unchanged.
 */
export function commandFirst(words: readonly string[], table: readonly Named[]): readonly string[] {
  const [first = '', second] = words;
  if (!isFlagLike(first) || first === '--') return words;
  if (isFlag(first, globalFlags)) {
    const taken = takesNext(first, globalFlags) ? 2 : 1;
    return [...words.slice(0, taken), ...commandFirst(words.slice(taken), table)];
  }
  for (const taken of second === undefined ? [1] : [2, 1]) {
    const rest = commandFirst(words.slice(taken), table);
    const { path, flags, end } = commandOf(rest, table);
    if (path.length === 0 || !isFlag(first, flags) || takesNext(first, flags) !== (taken === 2)) continue;
    return [...rest.slice(0, end), ...words.slice(0, taken), ...rest.slice(end)];
  }
  return words;
}

/** Tells whether a word is one of these flags, with or without a value behind `=`. */
function isFlag(word: string, flags: readonly FlagSpec[]): boolean {
  const [name] = word.split('=', 1);
  return flags.some((flag) => name === `--${flag.name}` || name === `-${flag.short}`);
}

/** Returns the words of the command that a word names below another, or undefined if there is none. */
export function below(
  table: readonly Named[],
  path: readonly string[],
  word: string,
): readonly string[] | undefined {
  const depth = path.length;
  const found = table.find(
    (row) =>
      isBelow(row, path) &&
      (row.path[depth] === word || (row.path.length === depth + 1 && row.aliases?.includes(word))),
  );
  return found?.path.slice(0, depth + 1);
}

/** Tells whether a row is of a command below another. */
export function isBelow(row: Pick<CommandSpec, 'path'>, path: readonly string[]): boolean {
  return row.path.length > path.length && path.every((word, index) => word === row.path[index]);
}

/** Returns the words of the table that name commands below another. */
export function childrenOf(path: readonly string[], table: readonly CommandSpec[]): readonly string[] {
  const rows = table.filter((row) => row.hidden !== true && isBelow(row, path));
  return [...new Set(rows.map((row) => row.path[path.length] as string))];
}

/** Returns the flags of a command: its own first, then those of its parents, then those of every command. */
function flagsAt(table: readonly Named[], path: readonly string[]): readonly FlagSpec[] {
  return [
    ...path.flatMap((_word, index) => ownFlags(table, path.slice(0, path.length - index))),
    ...globalFlags,
  ];
}

/** Returns the flags of a command, without those of every command. */
export function ownFlags(table: readonly Named[], path: readonly string[]): readonly FlagSpec[] {
  return table.find((row) => row.path.join(' ') === path.join(' '))?.flags ?? [];
}

/** Tells whether a word is a flag whose value is the next word. */
function takesNext(word: string, flags: readonly FlagSpec[]): boolean {
  const flag = flags.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
  return flag?.value !== undefined && flag.alone === undefined;
}

/** Tells whether a word has the form of a flag. */
export function isFlagLike(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}
