import { cairnError } from '@cairn/diagnostics';
import type { CommandSpec, FlagSpec } from '../command-spec.js';
import { globalFlags } from './flags.js';

/** A row with the words of a command. */
type Named = Pick<CommandSpec, 'path' | 'aliases' | 'flags'>;

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
    if (word.startsWith('-') && word !== '-') {
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
  if (!first.startsWith('-') || first === '-' || first === '--') return words;
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
function below(
  table: readonly Named[],
  path: readonly string[],
  word: string,
): readonly string[] | undefined {
  const depth = path.length;
  const found = table.find(
    (row) =>
      row.path.length > depth &&
      path.every((part, index) => part === row.path[index]) &&
      (row.path[depth] === word || (row.path.length === depth + 1 && row.aliases?.includes(word))),
  );
  return found?.path.slice(0, depth + 1);
}

/** Returns the flags of a command: its own first, then those of its parents, then those of every command. */
function flagsAt(table: readonly Named[], path: readonly string[]): readonly FlagSpec[] {
  const rows = path.map((_word, index) => {
    const part = path.slice(0, path.length - index).join(' ');
    return table.find((row) => row.path.join(' ') === part)?.flags ?? [];
  });
  return [...rows.flat(), ...globalFlags];
}

/** Tells whether a word is a flag whose value is the next word. */
function takesNext(word: string, flags: readonly FlagSpec[]): boolean {
  const flag = flags.find(({ name, short }) => word === `--${name}` || word === `-${short}`);
  return flag?.value !== undefined && flag.alone === undefined;
}

/** A command line in the forms that the parser accepts, and the switches that it turns off. */
interface PlainWords {
  readonly plain: readonly string[];
  readonly off: ReadonlySet<string>;
}

/**
 * Rewrites a command line for the parser. `--switch=true` becomes the switch; `--switch=false` turns it off, even if
 * the environment turns it on. `-p=4` becomes `-p4`. A flag given alone gets its value for that case. Words behind `--`
 * are not flags. Throws CAIRN-USAGE for a switch with another value.
 */
export function plainWords(words: readonly string[], table: readonly Named[]): PlainWords {
  const { flags } = commandOf(words, table);
  const off = new Set<string>();
  const plain: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') {
      plain.push(...words.slice(at));
      break;
    }
    const named = /^--([\w-]+)(?:=(.*))?$/s.exec(word);
    const flag = flags.find(({ name }) => name === named?.[1]);
    if (flag === undefined) {
      plain.push(shortWithValue(word, flags));
      if (takesNext(word, flags) && at + 1 < words.length) plain.push(words[++at] as string);
    } else if (flag.value !== undefined) {
      plain.push(named?.[2] === undefined && flag.alone !== undefined ? `${word}=${flag.alone}` : word);
      if (takesNext(word, flags) && at + 1 < words.length) plain.push(words[++at] as string);
    } else {
      plain.push(`--${flag.name}`);
      if (named?.[2] !== undefined && !truth(flag.name, named[2])) off.add(flag.name);
      else off.delete(flag.name);
    }
  }
  return { plain, off };
}

/** Rewrites `-p=4` as `-p4`. */
function shortWithValue(word: string, flags: readonly FlagSpec[]): string {
  const [, short, value] = /^-(\w)=(.*)$/s.exec(word) ?? [];
  const flag = flags.find((each) => short !== undefined && each.short === short);
  return flag?.value === undefined ? word : `-${short}${value}`;
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'True', 'TRUE']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

function truth(name: string, text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw cairnError('CAIRN-USAGE', `--${name} takes true or false, not ${JSON.stringify(text)}`);
}

/** Splits a list in the environment at its commas. A value in double quotes may contain commas. */
export function listOf(text: string): readonly string[] {
  const values = text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...values].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
}
