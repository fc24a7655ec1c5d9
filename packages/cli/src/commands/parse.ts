import { Command, CommanderError, Option } from 'commander';
import { BugError, cairnError } from '@cairn/diagnostics';
import type { ArgSpec, CommandSpec, FlagSpec, Flags, Invocation } from '../command-spec.js';
import { globalFlags } from './flags.js';

/** What a command line asks for: a command, text to print (help), or nothing more. */
export type Parsed =
  | { readonly t: 'command'; readonly spec: CommandSpec; readonly invocation: Invocation }
  | { readonly t: 'text'; readonly text: string; readonly exitCode: number };

type Env = Readonly<Record<string, string | undefined>>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Parses a command line against the table. A flag wins over `CAIRN_OPTION_<FLAG>`, which wins over
 * `PULUMI_OPTION_<FLAG>` [CLI-1]. Throws a CairnError (CAIRN-USAGE) with a suggestion for what is not in the table.
 */
export function parseCommandLine(table: readonly CommandSpec[], given: readonly string[], env: Env): Parsed {
  const words = askedForHelp(given, table);
  let chosen: { spec: CommandSpec; args: readonly (string | undefined)[]; values: Values } | undefined;
  const help: string[] = [];
  const errors: string[] = [];
  const root = new Command('cairn');
  root.description('Infrastructure as code: a program declares resources, Cairn makes them so.');
  configure(root, help, errors);
  for (const spec of table) {
    const command = declare(commandAt(root, spec, help, errors), spec);
    command.action(() => {
      if (spec.args === undefined) refuseUnknownChild(command);
      chosen = {
        spec,
        args: argsOf(spec, command.args),
        values: command.optsWithGlobals(),
      };
    });
  }
  if (words.length === 0) return { t: 'text', text: root.helpInformation(), exitCode: 0 };
  const { plain, off } = withoutDenials(words, table);
  try {
    root.parse(plain, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { t: 'text', text: help.join(''), exitCode: 0 };
    if (error.code === 'commander.help')
      return { t: 'text', text: errors.join('') || help.join(''), exitCode: 2 };
    throw usageError(error.message, commandWords(words, table));
  }
  if (chosen === undefined) return { t: 'text', text: help.join('') || root.helpInformation(), exitCode: 0 };
  const specs = [...(chosen.spec.flags ?? []), ...globalFlags];
  const flags = readFlags(specs, chosen.values, env, off);
  for (const { name, kind } of specs) if (kind === 'count') flags.count(name);
  return { t: 'command', spec: chosen.spec, invocation: { args: chosen.args, flags } };
}

/** `cairn help stack ls` is `cairn stack ls --help`, and `cairn help` is what `cairn` alone prints. */
function askedForHelp(given: readonly string[], table: readonly CommandSpec[]): readonly string[] {
  const [first, ...about] = given;
  if (first !== 'help') return given;
  const [word] = about;
  if (word === undefined || word.startsWith('-')) return [];
  if (commandWords(about, table).length === 0) throw usageError(`error: unknown command '${word}'`, []);
  return [...about, '--help'];
}

/** Every declared argument in its place; words of a repeated one follow. */
function argsOf({ args = [] }: CommandSpec, words: readonly string[]): readonly (string | undefined)[] {
  const given = args.map((_arg, index) => words[index]);
  return args.at(-1)?.repeat === true ? [...given, ...words.slice(args.length)] : given;
}

/**
 * `--switch=true` is the switch; `--switch=false` rolls it back, also from the environment. What follows `--` is no
 * flag.
 */
function withoutDenials(
  words: readonly string[],
  table: readonly CommandSpec[],
): { readonly plain: string[]; readonly off: ReadonlySet<string> } {
  const specs = [...globalFlags, ...table.flatMap((spec) => spec.flags ?? [])];
  const switches = new Set(specs.filter(({ value }) => value === undefined).map(({ name }) => name));
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const off = new Set<string>();
  const plain = words.flatMap((word, index) => {
    const [, name = '', value] = /^--([\w-]+)=(true|false)$/.exec(index < end ? word : '') ?? [];
    if (!switches.has(name)) return [word];
    if (value === 'false') off.add(name);
    return [`--${name}`];
  });
  return { plain, off };
}

/** A command with children takes a word it does not know as the name of a child. */
function refuseUnknownChild(command: Command): void {
  const [word] = command.args;
  if (word === undefined || command.commands.length === 0) return;
  const names = command.commands.map((child) => child.name()).join(', ');
  throw cairnError('CAIRN-USAGE', `unknown command '${word}'`, {
    hint: `\`cairn ${command.name()}\` has ${names}`,
  });
}

function configure(command: Command, help: string[], errors: string[]): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(false)
    // A flag behind a child's name is the child's, also when the parent has one of that name.
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => help.push(text), writeErr: (text) => errors.push(text) });
  command.helpOption('-h, --help', 'Show help').helpCommand(false);
  for (const flag of globalFlags) command.addOption(optionOf(flag));
}

/** What commands that only have children are for. */
const GROUPS: Readonly<Record<string, string>> = {
  state: 'Edit the state of a stack',
  tag: 'Tags of a stack: short texts that tools and people keep with it',
};

/** The command for a row, made under its parent; rows of parents come before rows of children. */
function commandAt(root: Command, spec: CommandSpec, help: string[], errors: string[]): Command {
  let at = root;
  for (const word of spec.path) {
    const existing = at.commands.find((child) => child.name() === word);
    if (existing !== undefined) {
      at = existing.allowExcessArguments(true);
      continue;
    }
    const child = new Command(word).description(GROUPS[word] ?? '');
    configure(child, help, errors);
    at.addCommand(child);
    at = child;
  }
  return at;
}

function declare(command: Command, spec: CommandSpec): Command {
  command.description(spec.summary);
  for (const alias of spec.aliases ?? []) command.alias(alias);
  for (const arg of spec.args ?? []) command.argument(argumentOf(arg), arg.summary);
  for (const flag of spec.flags ?? []) command.addOption(optionOf(flag));
  if (spec.examples !== undefined) {
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`);
  }
  return command;
}

function argumentOf(arg: ArgSpec): string {
  const name = arg.repeat === true ? `${arg.name}...` : arg.name;
  return arg.required ? `<${name}>` : `[${name}]`;
}

function optionOf(flag: FlagSpec): Option {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const option = new Option(`${short}--${flag.name}${value}`, flag.summary);
  if (flag.repeat === true)
    option.argParser((text, before: string[] | undefined) => [...(before ?? []), text]);
  return option;
}

/**
 * The words of the command that a command line begins with, as far as there is one; flags before and between them are
 * passed over.
 */
function commandWords(words: readonly string[], table: readonly CommandSpec[]): readonly string[] {
  const known: string[] = [];
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const spec = table.find(
      ({ path, aliases = [] }) =>
        path.length > known.length &&
        known.every((part, index) => part === path[index]) &&
        (path[known.length] === word || (path.length === known.length + 1 && aliases.includes(word))),
    );
    if (spec === undefined && known.length === 0) continue;
    if (spec === undefined) return known;
    known.push(spec.path[known.length] as string);
  }
  return known;
}

function usageError(message: string, command: readonly string[]): Error {
  const [what = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const suggestion = /Did you mean (?:one of )?(.*)\?/.exec(rest.join(' '))?.[1];
  return cairnError('CAIRN-USAGE', what, {
    hint:
      suggestion === undefined
        ? command.length === 0
          ? 'run `cairn --help` for the commands and flags there are'
          : `run \`cairn ${command.join(' ')} --help\` for its flags and arguments`
        : `did you mean ${suggestion}?`,
  });
}

function readFlags(specs: readonly FlagSpec[], values: Values, env: Env, off: ReadonlySet<string>): Flags {
  const find = (name: string): { spec: FlagSpec; value: unknown } => {
    const spec = specs.find((flag) => flag.name === name);
    if (spec === undefined) throw new BugError(`the command declares no flag --${name}`);
    const given = values[attributeOf(name)];
    // Commander keeps `--no-x` as `x`, true unless the flag is given.
    const value = name.startsWith('no-') ? (given === false ? true : undefined) : given;
    if (off.has(name)) return { spec, value: false };
    return { spec, value: value ?? fromEnvironment(spec, env) };
  };
  return {
    has: (name) => specs.some((flag) => flag.name === name),
    text: (name) => find(name).value as string | undefined,
    list: (name) => (find(name).value as readonly string[] | undefined) ?? [],
    on: (name) => {
      const { spec, value } = find(name);
      return (value ?? spec.standard === 'on') === true;
    },
    count: (name) => countOf(name, find(name).value as string | undefined),
  };
}

/**
 * The attribute commander keeps a flag under: `skip-preview` is `skipPreview`, and `no-select` is `select` set to
 * false.
 */
function attributeOf(name: string): string {
  return new Option(`--${name}`).attributeName();
}

function fromEnvironment(spec: FlagSpec, env: Env): unknown {
  const option = `OPTION_${spec.name.toUpperCase().replaceAll('-', '_')}`;
  const suffixes = spec.variable === undefined ? [option] : [option, spec.variable];
  const names = suffixes.flatMap((suffix) => [`CAIRN_${suffix}`, `PULUMI_${suffix}`]);
  const text = names.map((name) => env[name]).find((value) => value !== undefined);
  if (text === undefined || text === '') return undefined;
  if (spec.repeat === true) return text.split(',');
  if (spec.value === undefined) return text === '1' || text.toLowerCase() === 'true';
  return text;
}

function countOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw cairnError('CAIRN-USAGE', `--${name} takes a whole number from 1, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}
