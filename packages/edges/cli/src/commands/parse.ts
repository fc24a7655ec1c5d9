import { Command, CommanderError, Option } from 'commander';
import { BugError, cairnError } from '@cairn/diagnostics';
import type { ArgSpec, CommandSpec, FlagSpec, Flags, Invocation, RefusedCommand } from '../command-spec.js';
import { globalFlags } from './flags.js';
import { GROUPS, commandHelp, groupHelp, rootHelp } from './help.js';
import { refusedCommands } from './refused.js';
import { commandFirst, commandOf, listOf, plainWords } from './words.js';

/** Result of parsing a command line: a command, or text to print (help). */
type Parsed =
  | { readonly t: 'command'; readonly spec: CommandSpec; readonly invocation: Invocation }
  | { readonly t: 'text'; readonly text: string; readonly exitCode: number };

type Env = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, unknown>>;

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
  const full = words.includes('--help');
  const { plain, off } = plainWords(words, known);
  const { path } = commandOf(words, known);
  const isAtHand = (row: Pick<CommandSpec, 'path'>): boolean =>
    row.path.every((word, index) => index >= path.length || word === path[index]);
  // Most lines need only the selected command. Messages about others name them.
  let run = parseWith(
    { table, rows: table.filter(isAtHand), refused: refused.filter(isAtHand) },
    plain,
    full,
  );
  if (run.failure !== undefined) run = parseWith({ table, rows: table, refused }, plain, full);
  const { chosen, help, errors, failure } = run;
  if (failure?.code === 'commander.help')
    return { t: 'text', text: errors.join('') || help.join(''), exitCode: 2 };
  if (failure !== undefined) throw usageError(failure.message, path);
  if (chosen === undefined) return { t: 'text', text: help.join('') || rootHelp(table, full), exitCode: 0 };
  const own = chosen.spec.flags ?? [];
  const specs = [...own, ...globalFlags.filter(({ name }) => !own.some((flag) => flag.name === name))];
  const flags = readFlags(specs, chosen.values, env, off);
  for (const { name, kind } of specs) if (kind === 'count') flags.count(name);
  refuseFlags(chosen.spec, flags);
  return { t: 'command', spec: chosen.spec, invocation: { args: chosen.args, flags } };
}

/** Commander's result for a command line. */
interface Run {
  readonly chosen:
    | {
        readonly spec: CommandSpec;
        readonly args: readonly (string | undefined)[];
        readonly values: Values;
      }
    | undefined;
  readonly help: readonly string[];
  readonly errors: readonly string[];
  /** Error of a line that commander refused. */
  readonly failure: CommanderError | undefined;
}

/** Parses with the commands of these rows, which belong to the table. */
function parseWith(
  commands: {
    readonly table: readonly CommandSpec[];
    readonly rows: readonly CommandSpec[];
    readonly refused: readonly RefusedCommand[];
  },
  plain: readonly string[],
  full: boolean,
): Run {
  const { table, rows, refused } = commands;
  let chosen: Run['chosen'];
  const help: string[] = [];
  const errors: string[] = [];
  const root = new Command('cairn');
  configure(root, globalFlags, help, errors);
  root.helpInformation = () => rootHelp(table, full);
  for (const spec of rows) {
    const command = declare(commandAt(root, table, spec, help, errors), spec);
    command.helpInformation = () => commandHelp(spec, table, full);
    command.action(() => {
      if (spec.args === undefined) refuseUnknownChild(command, table);
      chosen = { spec, args: argsOf(spec, command.args), values: command.optsWithGlobals() };
    });
  }
  for (const row of refused) refuse(commandAt(root, table, row, help, errors), row);
  let failure: CommanderError | undefined;
  try {
    root.parse(plain, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) failure = error;
  }
  return { chosen, help, errors, failure };
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
  if (commandOf(about, table).path.length === 0) throw usageError(`error: unknown command '${word}'`, []);
  return [...about, '--help'];
}

/** Returns every declared argument in its place, followed by the words of a repeated one. */
function argsOf({ args = [] }: CommandSpec, words: readonly string[]): readonly (string | undefined)[] {
  const given = args.map((_arg, index) => words[index]);
  return args.at(-1)?.repeat === true ? [...given, ...words.slice(args.length)] : given;
}

/** Refuses an unknown word: a command with children takes it as the name of a child. */
function refuseUnknownChild(command: Command, table: readonly CommandSpec[]): void {
  const [word] = command.args;
  if (word === undefined || command.commands.length === 0) return;
  const shown = table.filter(({ hidden }) => hidden !== true);
  const path = shown.map((spec) => spec.path).filter(([first]) => first === command.name());
  const names = new Set(path.map(([_first, second]) => second).filter((name) => name !== undefined));
  throw cairnError('CAIRN-USAGE', `unknown command '${word}'`, {
    hint: `\`cairn ${command.name()}\` has ${[...names].join(', ')}.`,
  });
}

function configure(command: Command, flags: readonly FlagSpec[], help: string[], errors: string[]): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    // A flag behind a child's name belongs to the child, even if the parent has one of that name.
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => help.push(text), writeErr: (text) => errors.push(text) });
  command.helpOption('-h, --help', 'Show help').helpCommand(false);
  for (const flag of flags) command.addOption(optionOf(flag));
}

/** Returns the flags of every command, as one command has them. Its own flags win over those of the same name. */
function globalFlagsBeside(own: readonly FlagSpec[]): readonly FlagSpec[] {
  const shorts = new Set(own.map(({ short }) => short));
  return globalFlags
    .filter(({ name }) => !own.some((flag) => flag.name === name))
    .map((flag) => (flag.short !== undefined && shorts.has(flag.short) ? withoutShort(flag) : flag));
}

function withoutShort({ short: _short, ...flag }: FlagSpec): FlagSpec {
  return flag;
}

/** Creates the command for a row under its parent. Rows of parents come before rows of children. */
function commandAt(
  root: Command,
  table: readonly CommandSpec[],
  row: CommandSpec | RefusedCommand,
  help: string[],
  errors: string[],
): Command {
  let at = root;
  for (const [index, word] of row.path.entries()) {
    const existing = at.commands.find((child) => child.name() === word);
    if (existing !== undefined) {
      at = existing.allowExcessArguments(true);
      continue;
    }
    const last = index === row.path.length - 1;
    const own = last && 'flags' in row ? row.flags : [];
    const child = new Command(word);
    const path = row.path.slice(0, index + 1);
    child.helpInformation = () => groupHelp(path, GROUPS[word] ?? '', table);
    configure(child, globalFlagsBeside(own ?? []), help, errors);
    at.addCommand(child, { hidden: 'reason' in row || (last && row.hidden === true) });
    at = child;
  }
  return at;
}

function declare(command: Command, spec: CommandSpec): Command {
  for (const alias of spec.aliases ?? []) command.alias(alias);
  for (const arg of spec.args ?? []) command.argument(argumentOf(arg), arg.summary);
  for (const flag of spec.flags ?? []) command.addOption(optionOf(flag));
  return command;
}

/** Makes a command fail because it is not offered, whatever is typed behind it. */
function refuse(command: Command, row: RefusedCommand): void {
  for (const alias of row.aliases ?? []) command.alias(alias);
  const fail = (): never => {
    throw cairnError('CAIRN-NOT-OFFERED', `there is no \`cairn ${row.path.join(' ')}\`: ${row.reason}`, {
      ...(row.instead !== undefined && { hint: row.instead }),
    });
  };
  command.helpOption(false).allowUnknownOption().allowExcessArguments().passThroughOptions().action(fail);
}

function refuseFlags({ flags = [], path }: CommandSpec, given: Flags): void {
  for (const { name, refused, value, repeat } of [...flags, ...globalFlags]) {
    if (refused === undefined) continue;
    const is = repeat ? given.list(name).length > 0 : value ? given.text(name) !== undefined : given.on(name);
    if (!is) continue;
    throw cairnError('CAIRN-NOT-OFFERED', `\`cairn ${path.join(' ')}\` has no --${name}: ${refused}`, {
      hint: 'Leave the flag out.',
    });
  }
}

function argumentOf(arg: ArgSpec): string {
  const name = arg.repeat === true ? `${arg.name}...` : arg.name;
  return arg.required ? `<${name}>` : `[${name}]`;
}

function optionOf(flag: FlagSpec): Option {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const option = new Option(`${short}--${flag.name}${value}`, flag.summary);
  if (flag.refused !== undefined) option.hideHelp();
  if (flag.repeat === true)
    option.argParser((text, before: string[] | undefined) => [...(before ?? []), text]);
  return option;
}

function usageError(message: string, command: readonly string[]): Error {
  const [what = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestion = /Did you mean (?:one of )?(.*)\?/.exec(rest.join(' '))?.[1];
  return cairnError('CAIRN-USAGE', what, {
    hint:
      suggestion === undefined
        ? command.length === 0
          ? 'Run `cairn --help` for the commands and flags there are.'
          : `Run \`cairn ${command.join(' ')} --help\` for its flags and arguments.`
        : `Did you mean ${suggestion}?`,
  });
}

function readFlags(specs: readonly FlagSpec[], values: Values, env: Env, off: ReadonlySet<string>): Flags {
  const find = (name: string): { spec: FlagSpec; value: unknown } => {
    const spec = specs.find((flag) => flag.name === name);
    if (spec === undefined) throw new BugError(`the command declares no flag --${name}`);
    const given = values[attributeOf(name)];
    // Commander stores `--no-x` as `x`, true unless the flag is given.
    const value = name.startsWith('no-') ? (given === false ? true : undefined) : given;
    if (off.has(name)) return { spec, value: false };
    return { spec, value: value ?? fromEnvironment(spec, env) };
  };
  /** Tells whether another flag of the command has the same effect. */
  const standIn = (name: string): boolean => {
    const other = specs.find(({ stands }) => stands === name)?.name;
    const form = other === undefined ? undefined : (find(other).value as string | undefined);
    if (form === undefined || form === 'default' || form === 'json') return form === 'json';
    throw cairnError('CAIRN-USAGE', `--output takes default or json, not ${JSON.stringify(form)}`);
  };
  return {
    has: (name) => specs.some((flag) => flag.name === name),
    text: (name) => find(name).value as string | undefined,
    list: (name) => (find(name).value as readonly string[] | undefined) ?? [],
    on: (name) => {
      const { spec, value } = find(name);
      if (value === undefined && standIn(name)) return true;
      return (value ?? spec.standard === 'on') === true;
    },
    count: (name) => {
      const { spec, value } = find(name);
      return countOf(spec, value as string | undefined);
    },
  };
}

/**
 * Returns the attribute under which commander stores a flag: `skip-preview` is `skipPreview`, and `no-select` is
 * `select` set to false.
 */
function attributeOf(name: string): string {
  return name.replace(/^no-/, '').replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

function fromEnvironment(spec: FlagSpec, env: Env): unknown {
  const option = `OPTION_${spec.name.toUpperCase().replaceAll('-', '_')}`;
  const suffixes = spec.variable === undefined ? [option] : [option, spec.variable];
  const names = suffixes.flatMap((suffix) => [`CAIRN_${suffix}`, `PULUMI_${suffix}`]);
  const text = names.map((name) => env[name]).find((value) => value !== undefined);
  if (text === undefined || text === '') return undefined;
  if (spec.repeat === true) return listOf(text);
  if (spec.value === undefined) return text === '1' || text.toLowerCase() === 'true';
  return text;
}

function countOf({ name, from: least }: FlagSpec, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const from: number = least ?? 1;
  if (!/^(?:0|[1-9]\d{0,8})$/.test(text) || Number(text) < from) {
    const said = JSON.stringify(text);
    throw cairnError(
      'CAIRN-USAGE',
      `invalid argument ${said} for --${name}: it takes a whole number from ${from}`,
    );
  }
  return Number(text);
}
