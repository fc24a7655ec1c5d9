import { cairnError, nearest } from '@cairn/diagnostics';
import type { Env } from '@cairn/workspace';
import type { CommandSpec, Invocation, RefusedCommand } from '../command-spec.js';
import { isGiven, propertyOf } from '../flags/flag-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import { globalFlags } from '../flags/global.js';
import { readFlags } from './flag-values.js';
import { GROUPS, commandHelp, groupHelp, rootHelp } from './help.js';
import { refusedCommands } from './refused.js';
import { parseWords } from './command-line.js';
import type { CommandLine } from './command-line.js';
import { childrenOf, commandFirst, commandOf } from './words.js';

/** Result of parsing a command line: a command, or text to print (help). */
type Parsed =
  | { readonly t: 'command'; readonly spec: CommandSpec; readonly invocation: Invocation }
  | { readonly t: 'text'; readonly text: string; readonly exitCode: number };

/**
 * Parses a command line with the table. A flag wins over `CAIRN_OPTION_<FLAG>`, which wins over `PULUMI_OPTION_<FLAG>`
 * [CLI-1]. Throws CAIRN-USAGE with a suggestion for words that are not in the table, and CAIRN-NOT-OFFERED for words
 * that other tools have and this one does not.
 */
export function parseCommandLine(
  table: readonly CommandSpec[],
  given: readonly string[],
  env: Env,
  refused: readonly RefusedCommand[] = refusedCommands,
): Parsed {
  const known = [...table, ...refused];
  const words = commandFirst(spelledOut(given, known), known);
  if (words.length === 0) return { t: 'text', text: rootHelp(table, false), exitCode: 0 };
  const line = parseWords(words, known);
  refuseOpen(line);
  refuse(refused.find(isNamed(line)));
  const full = words.includes('--help');
  const spec = table.find(isNamed(line));
  if (spec === undefined) return aboveCommands(line, table, full);
  if (line.help) return { t: 'text', text: commandHelp(spec, table, full), exitCode: 0 };
  refuseUnknown(line);
  const args = argsOf(spec, line, table);
  const own = spec.flags ?? [];
  const specs = [...own, ...globalFlags.filter(({ name }) => !own.some((flag) => flag.name === name))];
  const flags = readFlags(specs, line.given, env);
  refuseFlags(spec, flags);
  return { t: 'command', spec, invocation: { args, flags } };
}

/**
 * Expands short forms. `cairn help stack ls` is `cairn stack ls --help`, `cairn help` prints the same as `cairn` alone,
 * and `cairn --version` is `cairn version`.
 */
function spelledOut(
  given: readonly string[],
  table: readonly (CommandSpec | RefusedCommand)[],
): readonly string[] {
  const [first, ...about] = given;
  if (first === '--version' && about.length === 0) return ['version'];
  if (first !== 'help') return given;
  const [word] = about;
  if (word === undefined || word.startsWith('-')) return [];
  if (commandOf(about, table).path.length === 0) throw usageError(`unknown command '${word}'`, []);
  return [...about, '--help'];
}

function isNamed({ path }: CommandLine): (row: Pick<CommandSpec, 'path'>) => boolean {
  return (row) => row.path.length === path.length && row.path.every((word, at) => word === path[at]);
}

/** Returns help for words that only have commands below them. It was requested, or a command is missing. */
function aboveCommands(line: CommandLine, table: readonly CommandSpec[], full: boolean): Parsed {
  const { path, help, operands } = line;
  if (!help) {
    const [word] = operands;
    if (word !== undefined)
      throw usageError(`unknown command '${word}'`, path, nearestChild(word, path, table));
    refuseUnknown(line);
  }
  const text =
    path.length === 0 ? rootHelp(table, full) : groupHelp(path, GROUPS[path.at(-1) ?? ''] ?? '', table);
  return { t: 'text', text, exitCode: help ? 0 : 2 };
}

function nearestChild(
  word: string,
  path: readonly string[],
  table: readonly CommandSpec[],
): string | undefined {
  const children = childrenOf(path, table);
  const aliases = table
    .filter((row) => row.hidden !== true && row.path.length === path.length + 1)
    .filter((row) => path.every((part, at) => part === row.path[at]))
    .flatMap((row) => row.aliases ?? []);
  return nearest(word, [...children, ...aliases]);
}

/** Refuses a flag without its value. */
function refuseOpen({ open, path }: CommandLine): void {
  if (open === undefined) return;
  const short = open.short === undefined ? '' : `-${open.short}, `;
  throw usageError(`option '${short}--${open.name} <${open.value}>' argument missing`, path);
}

/** Refuses a word that looks like a flag and is none. */
function refuseUnknown({ unknown, path }: CommandLine): void {
  if (unknown === undefined) return;
  const { word, flags } = unknown;
  const names = flags.filter(({ refused, hidden }) => refused === undefined && hidden !== true);
  const near = word.startsWith('--')
    ? nearest(word.slice(2), ['help', ...names.map(({ name }) => name)])
    : undefined;
  throw usageError(`unknown option '${word}'`, path, near && `--${near}`);
}

/**
 * Returns every declared argument in its place, followed by the words of a repeated one. Throws CAIRN-USAGE for missing
 * and for further words. A command without arguments takes a word as the name of a child.
 */
function argsOf(
  { args, path }: CommandSpec,
  { operands }: CommandLine,
  table: readonly CommandSpec[],
): readonly (string | undefined)[] {
  const declared = args ?? [];
  const missing = declared.find(({ required }, at) => required && operands[at] === undefined);
  if (missing !== undefined) throw usageError(`missing required argument '${missing.name}'`, path);
  if (declared.at(-1)?.repeat === true)
    return [...declared.map((_arg, at) => operands[at]), ...operands.slice(declared.length)];
  if (operands.length <= declared.length) return declared.map((_arg, at) => operands[at]);
  const children = childrenOf(path, table);
  if (args === undefined && children.length > 0)
    throw cairnError('CAIRN-USAGE', `unknown command '${operands[0]}'`, {
      hint: `\`cairn ${path.join(' ')}\` has ${children.join(', ')}.`,
    });
  const expected = `${declared.length} argument${declared.length === 1 ? '' : 's'}`;
  throw usageError(
    `too many arguments for '${path.at(-1)}'. Expected ${expected} but got ${operands.length}.`,
    path,
  );
}

/** Refuses a command that is not offered, whatever is typed behind it. */
function refuse(row: RefusedCommand | undefined): void {
  if (row === undefined) return;
  throw cairnError('CAIRN-NOT-OFFERED', `there is no \`cairn ${row.path.join(' ')}\`: ${row.reason}`, {
    ...(row.instead !== undefined && { hint: row.instead }),
  });
}

function refuseFlags({ flags = [], path }: CommandSpec, given: Readonly<Record<string, unknown>>): void {
  for (const { name, refused } of [...flags, ...globalFlags] as readonly FlagSpec[]) {
    if (refused === undefined || !isGiven(given[propertyOf(name)])) continue;
    throw cairnError('CAIRN-NOT-OFFERED', `\`cairn ${path.join(' ')}\` has no --${name}: ${refused}`, {
      hint: 'Leave the flag out.',
    });
  }
}

/** Returns the error for a command line that does not fit its command. `near` is the nearest word that would. */
function usageError(summary: string, path: readonly string[], near?: string): Error {
  const help =
    path.length === 0
      ? 'Run `cairn --help` for the commands and flags there are.'
      : `Run \`cairn ${path.join(' ')} --help\` for its flags and arguments.`;
  return cairnError('CAIRN-USAGE', summary, { hint: near === undefined ? help : `Did you mean ${near}?` });
}
