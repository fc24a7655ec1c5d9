import type { ArgSpec, CommandSpec } from '../command-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import { parseWords } from '../commands/command-line.js';
import { childrenOf } from '../commands/words.js';

/** Kinds of names that no table contains. They are looked up where the command is typed. */
export type Asked = 'stacks' | 'urns' | 'config-keys' | 'changes';

/** Candidates for the word at the cursor: known words, and the kind of names to look up. */
interface Candidates {
  readonly words: readonly string[];
  readonly ask: Asked | undefined;
  /** Prefix of each answer, such as `--stack=`. */
  readonly before: string;
  /** Stack selected on the command line; candidate names are resolved in it. */
  readonly stack: string | undefined;
}

const FLAG_VALUES: Readonly<Record<string, readonly string[] | Asked>> = {
  stack: 'stacks',
  'copy-config-from': 'stacks',
  dest: 'stacks',
  source: 'stacks',
  target: 'urns',
  exclude: 'urns',
  replace: 'urns',
  'target-replace': 'urns',
  parent: 'urns',
  provider: 'urns',
  color: ['auto', 'always', 'never', 'raw'],
  output: ['default', 'json'],
  'on-error': ['stop', 'continue', 'rollback'],
  isolate: ['none', 'component', 'resource'],
  time: ['rel', 'abs'],
  select: ['all', 'in-progress', 'ready'],
  type: ['string', 'bool', 'int', 'float'],
  last: ['up', 'destroy', 'refresh', 'import', 'rollback', 'resolve'],
};

/** Arguments that are names, by command and argument. */
const ARGUMENTS: Readonly<Record<string, readonly string[] | Asked>> = {
  'stack select name': 'stacks',
  'stack rm name': 'stacks',
  'cancel stack': 'stacks',
  'changes stack': 'stacks',
  'config get key': 'config-keys',
  'config set key': 'config-keys',
  'config rm key': 'config-keys',
  'config rm-all key': 'config-keys',
  'config cp key': 'config-keys',
  'gen-completion shell': ['bash', 'zsh', 'fish', 'powershell'],
};

/** Returns the candidates for the last of these words, which may be empty. */
export function candidatesFor(words: readonly string[], table: readonly CommandSpec[]): Candidates {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const { path, flags, open, given, operands } = parseWords(before, table);
  const named = given.get('stack');
  const stack = typeof named === 'string' ? named : undefined;
  const nothing: Candidates = { words: [], ask: undefined, before: '', stack };
  const as = (values: readonly string[] | Asked | undefined, front = ''): Candidates =>
    typeof values === 'string'
      ? { ...nothing, ask: values, before: front }
      : { ...nothing, words: values ?? [], before: front };
  if (open !== undefined) return as(FLAG_VALUES[open.name]);
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return as(FLAG_VALUES[name], `--${name}=`);
  if (typed.startsWith('-')) return as(flags.filter(isOffered).map((flag) => `--${flag.name}`));
  const children = childrenOf(path, table);
  const spec = table.find((row) => row.path.join(' ') === path.join(' '));
  const argument = argumentAt(spec, operands.length);
  if (operands.length === 0 && children.length > 0) {
    const asked = argument === undefined ? [] : ARGUMENTS[`${path.join(' ')} ${argument.name}`];
    return { ...as(asked), words: [...children, ...(Array.isArray(asked) ? asked : [])] };
  }
  return argument === undefined ? nothing : as(valuesOf(path, argument));
}

function valuesOf(path: readonly string[], { name }: ArgSpec): readonly string[] | Asked | undefined {
  if (name === 'change') return 'changes';
  if (path[0] === 'state' && (name === 'urn' || name === 'resource')) return 'urns';
  return ARGUMENTS[`${path.join(' ')} ${name}`];
}

function argumentAt(spec: CommandSpec | undefined, at: number): ArgSpec | undefined {
  const args = spec?.args ?? [];
  const last = args.at(-1);
  return args[at] ?? (last?.repeat === true ? last : undefined);
}

function isOffered({ refused, hidden }: FlagSpec): boolean {
  return refused === undefined && hidden !== true;
}

/** Splits a line into words as a shell does. The last one is incomplete. */
export function commandLineWords(line: string): readonly string[] {
  const found = [...line.matchAll(/(?:"(?:[^"\\]|\\.)*"?|'[^']*'?|\\.|[^\s"'])+/g)];
  const words = found.map(([word]) => unquoted(word));
  const last = found.at(-1);
  return last === undefined || last.index + last[0].length < line.length ? [...words, ''] : words;
}

function unquoted(word: string): string {
  return word.replace(
    /"((?:[^"\\]|\\.)*)"?|'([^']*)'?|\\(.?)/g,
    (_, double: string | undefined, single: string | undefined, escaped: string | undefined) =>
      double?.replace(/\\([$`"\\])/g, '$1') ?? single ?? escaped ?? '',
  );
}
