import { cairnError } from '@cairn/diagnostics';
import type { FlagSpec } from '../flags/flag-spec.js';
import { globalFlags } from '../flags/global.js';
import { below, isBelow, isFlagLike, ownFlags } from './words.js';
import type { Named } from './words.js';

/** Value of a flag as the command line has it: a switch, a text, or the texts of a flag that may be repeated. */
export type GivenValue = boolean | string | readonly string[];

/** A command line by the parts that its words are of. */
export interface CommandLine {
  /** Words of the command that is named, or of the words above commands. */
  readonly path: readonly string[];
  /** Flags that a further word could be. */
  readonly flags: readonly FlagSpec[];
  /** Flag at the end that needs a value. */
  readonly open: FlagSpec | undefined;
  /** Values of flags by name; the last value counts. */
  readonly given: ReadonlyMap<string, GivenValue>;
  readonly operands: readonly string[];
  /** First word that looks like a flag and is none, with the flags it could have been. */
  readonly unknown: { readonly word: string; readonly flags: readonly FlagSpec[] } | undefined;
  /** True if `--help` or `-h` was given. */
  readonly help: boolean;
}

/** A flag in front of the unread words. */
interface ReadFlag {
  readonly flag: FlagSpec;
  /** Text behind the name in the same word. */
  readonly text?: string | undefined;
  /** Further short flags of the same word. */
  readonly more?: string;
}

/**
 * Reads a command line. A flag belongs to the command named before it: behind the name of a child it is the child's,
 * even if the parent has one of that name. Throws CAIRN-USAGE for a switch with a value that is none.
 */
export function parseWords(words: readonly string[], table: readonly Named[]): CommandLine {
  const [given, operands] = [new Map<string, GivenValue>(), [] as string[]];
  let path: readonly string[] = [];
  let flags: readonly FlagSpec[] = globalFlags;
  let unknown: CommandLine['unknown'];
  let open: FlagSpec | undefined;
  let help = false;
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') {
      operands.push(...rest);
      break;
    }
    const read = isFlagLike(word) ? readFlag(word, flags) : undefined;
    if (read !== undefined) {
      const { flag, text, more } = read;
      if (more !== undefined) rest.unshift(more);
      const value = valueOf(flag, text, rest, given.get(flag.name));
      if (value === undefined) open = flag;
      else given.set(flag.name, value);
    } else if (word === '-h' || word === '--help') help = true;
    else if (isFlagLike(word) && !(NEGATIVE.test(word) && !table.some((row) => isBelow(row, path))))
      unknown ??= { word, flags };
    else {
      const child = operands.length > 0 || help ? undefined : below(table, path, word);
      if (child === undefined) {
        if (unknown === undefined) operands.push(word);
      } else {
        path = child;
        flags = [...ownFlags(table, path), ...globalFlags];
      }
    }
  }
  return { path, flags, open, given, operands, unknown, help };
}

/** A negative number, which is not a flag for a command without children. */
const NEGATIVE = /^-(?:\d+|\d*\.\d+)(?:e[+-]?\d+)?$/;

/** Reads the flag in front of a word: `--name`, `--name=text`, `-n`, `-ntext`, `-n=text` or the first one of `-nm`. */
function readFlag(word: string, flags: readonly FlagSpec[]): ReadFlag | undefined {
  const [, long, text] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  const flag = flags.find(({ name, short }) => (long === undefined ? short === word[1] : name === long));
  if (flag === undefined || long !== undefined) return flag && { flag, text };
  const behind = word.slice(2);
  if (behind === '') return { flag };
  return flag.value === undefined
    ? { flag, more: `-${behind}` }
    : { flag, text: behind.startsWith('=') ? behind.slice(1) : behind };
}

/** Returns the value of a flag: from its own word, else the next unread one. Undefined if there is none. */
function valueOf(
  flag: FlagSpec,
  text: string | undefined,
  rest: string[],
  earlier: GivenValue | undefined,
): GivenValue | undefined {
  if (flag.value === undefined) return text === undefined || truth(flag.name, text);
  const value = text ?? flag.alone ?? rest.shift();
  if (value === undefined || flag.holds !== 'list') return value;
  return [...(Array.isArray(earlier) ? (earlier as readonly string[]) : []), value];
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'True', 'TRUE']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE']);

function truth(name: string, text: string): boolean {
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw cairnError('CAIRN-USAGE', `--${name} takes true or false, not ${JSON.stringify(text)}`);
}
