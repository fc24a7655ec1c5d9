import type { CommandSpec } from '../command-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import { globalFlags } from '../flags/global.js';

/** Commands by their first word under headings, frequent ones first. Others are listed under the last heading. */
const COMMANDS: readonly (readonly [heading: string, words: readonly string[]])[] = [
  ['Common commands', ['up', 'preview', 'stack', 'config', 'destroy', 'refresh', 'new']],
  [
    'Running and unfinished operations',
    ['resume', 'rollback', 'follow', 'abort', 'changes', 'change', 'approve', 'cancel'],
  ],
  ['Existing objects and states', ['import', 'state']],
  [
    'Writing programs and packages',
    ['watch', 'install', 'package', 'schema', 'provider', 'plugin', 'policy'],
  ],
  ['Migrating from other tools', ['convert', 'migrate', 'alias']],
  ['Backends and this command', ['login', 'logout', 'whoami', 'about', 'version', 'gen-completion']],
];
const MORE = 'More';

/** Flags of operations under headings. Flags without a heading come first. */
const FLAGS: readonly (readonly [heading: string, names: readonly string[]])[] = [
  [
    'Selecting resources',
    [
      ...['target', 'target-dependents', 'exclude', 'exclude-dependents', 'exclude-protected', 'replace'],
      ...['target-replace', 'ignore-protect'],
    ],
  ],
  [
    'Output',
    [
      ...['diff', 'json', 'output', 'show-sames', 'show-reads', 'show-replacement-steps', 'show-config'],
      ...['show-full-output', 'show-secrets', 'show-policy-remediations', 'suppress-outputs'],
      ...['suppress-progress', 'suppress-permalink', 'urns', 'event-log', 'summary', 'time'],
    ],
  ],
  ['Handling errors', ['continue-on-error', 'on-error', 'isolate', 'strict-providers', 'expect-no-changes']],
  ['Plans and policies', ['plan', 'strict', 'save-plan', 'import-file', 'policy-pack', 'policy-pack-config']],
  [
    'The program and its plugins',
    [
      ...['config', 'config-file', 'config-path', 'skip-config-validation', 'secrets-provider'],
      ...['skip-plugin-pre-install', 'run-program', 'typecheck', 'attach-debugger', 'client'],
    ],
  ],
];

/** Flags in the short help of a command that has many. */
const OFTEN: ReadonlySet<string> = new Set([
  ...[
    'stack',
    'yes',
    'skip-preview',
    'preview-only',
    'diff',
    'json',
    'refresh',
    'target',
    'exclude',
    'config',
  ],
  ...['expect-no-changes', 'show-secrets', 'message', 'parallel', 'remove', 'detach', 'file', 'save-plan'],
]);
const MANY = 16;

/** Returns the help of the whole command line. `full` adds the options of every command. */
export function rootHelp(table: readonly CommandSpec[], full: boolean): string {
  const rest = new Set(table.filter(isShown).map(({ path: [word = ''] }) => word));
  const groups = COMMANDS.map(([heading, words]) => {
    const there = words.filter((word) => rest.delete(word));
    return section(
      heading,
      there.map((word) => [word, summaryOf(table, word)]),
    );
  });
  const more = section(
    MORE,
    [...rest].map((word) => [word, summaryOf(table, word)]),
  );
  return paragraphs([
    'Infrastructure as code: a program declares resources, and Cairn makes them match.',
    'Usage: cairn <command> [options]',
    ...groups,
    more,
    ...(full ? [flagSection('Options of every command', globalFlags)] : []),
    `Run \`cairn COMMAND -h\` for the common options of a command, \`--help\` for all of them${full ? '' : '; `cairn --help` shows the options of every command'}.`,
  ]);
}

/** Returns the help of a command, short unless full help was requested. */
export function commandHelp(spec: CommandSpec, table: readonly CommandSpec[], full: boolean): string {
  const { path, aliases = [], args = [], examples = [], summary } = spec;
  const flags = (spec.flags ?? []).filter(isOffered);
  const children = table.filter((row) => isShown(row) && isBelow(row.path, path));
  const brief = !full && flags.length > MANY;
  const listed = brief ? flags.filter(({ name }) => OFTEN.has(name)) : flags;
  return paragraphs([
    `${summary}`,
    `Usage: ${usage(spec)}`,
    aliases.length === 0
      ? ''
      : `Also: ${aliases.map((alias) => [...path.slice(0, -1), alias].join(' ')).join(', ')}`,
    section(
      'Commands',
      children.map((row) => [row.path.slice(path.length).join(' '), row.summary]),
    ),
    section(
      'Arguments',
      args.map(({ name, summary: what }) => [name, what]),
    ),
    ...(brief ? [flagSection('Options', listed)] : grouped(listed)),
    full ? flagSection('Options of every command', besides(globalFlags, spec.flags ?? [])) : '',
    examples.length === 0 ? '' : `Examples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`,
    full ? VARIABLES : '',
    brief ? `\`cairn ${path.join(' ')} --help\` shows all ${flags.length} options.` : '',
  ]);
}

/** Returns the help of a word that only has commands below it. */
export function groupHelp(path: readonly string[], summary: string, table: readonly CommandSpec[]): string {
  const children = table.filter((row) => isShown(row) && isBelow(row.path, path));
  return paragraphs([
    summary,
    `Usage: cairn ${path.join(' ')} <command> [options]`,
    section(
      'Commands',
      children.map((row) => [row.path.slice(path.length).join(' '), row.summary]),
    ),
  ]);
}

/** Summaries of commands that only have children. */
export const GROUPS: Readonly<Record<string, string>> = {
  state: 'Edit the state of a stack',
  tag: 'Manage the tags of a stack',
  package: 'Generate typed packages of providers, and show their schemas',
  schema: 'Check the schemas of packages',
  provider: 'Test providers',
  migrate: 'Migrate programs to @cairn/sdk',
  plugin: 'Manage plugins: providers, languages, converters',
  policy: 'Create and run policy packs',
};

const VARIABLES = `Environment:
  CAIRN_OPTION_<FLAG>  sets a flag, e.g. CAIRN_OPTION_SKIP_PREVIEW=true; so does PULUMI_OPTION_<FLAG>
Exit codes:
  0 done, 1 failed, 2 a question could not be asked, 6 no such stack, 7 unexpected changes,
  10 waiting for an answer, 11 failed and rolled back; CAIRN_EXIT_CODES=fine distinguishes more of them`;

/** Returns the usage line of a command. */
function usage({ path, args = [], flags = [] }: CommandSpec): string {
  const words = args.map(({ name, required, repeat }) => {
    const word = repeat === true ? `${name}...` : name;
    return required ? `<${word}>` : `[${word}]`;
  });
  return ['cairn', ...path, ...words, ...(flags.length > 0 ? ['[options]'] : [])].join(' ');
}

/** Tells whether help contains the flag. */
function isOffered({ refused, hidden }: FlagSpec): boolean {
  return refused === undefined && hidden !== true;
}

function isShown({ hidden }: CommandSpec): boolean {
  return hidden !== true;
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return path.length > above.length && above.every((word, index) => word === path[index]);
}

function summaryOf(table: readonly CommandSpec[], word: string): string {
  return table.find(({ path }) => path.join(' ') === word)?.summary ?? GROUPS[word] ?? '';
}

function besides(flags: readonly FlagSpec[], own: readonly FlagSpec[]): readonly FlagSpec[] {
  return flags.filter(({ name }) => !own.some((flag) => flag.name === name));
}

function grouped(flags: readonly FlagSpec[]): readonly string[] {
  const headed = FLAGS.map(([heading, names]) => {
    const there = names.flatMap((name) => flags.filter((flag) => flag.name === name));
    return [heading, there] as const;
  }).filter(([, there]) => there.length > 0);
  if (flags.length <= MANY) return [flagSection('Options', flags)];
  const rest = flags.filter((flag) => !headed.some(([, there]) => there.includes(flag)));
  return [flagSection('Options', rest), ...headed.map(([heading, there]) => flagSection(heading, there))];
}

function flagSection(heading: string, flags: readonly FlagSpec[]): string {
  const rows = flags.filter(isOffered).map((flag) => {
    const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
    const value =
      flag.value === undefined ? '' : flag.alone === undefined ? ` <${flag.value}>` : `[=${flag.value}]`;
    return [`${short}--${flag.name}${value}`, flag.summary] as const;
  });
  return section(heading, rows);
}

const WIDTH = 100;

/** Returns a section: names in a column, with descriptions beside them, wrapped between words. */
function section(heading: string, rows: readonly (readonly [name: string, what: string])[]): string {
  if (rows.length === 0) return '';
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  const lines = rows.flatMap(([name, what]) => {
    const broken = wrapped(what, WIDTH - column);
    return broken.map((text, index) => `${(index === 0 ? `  ${name}` : '').padEnd(column)}${text}`.trimEnd());
  });
  return `${heading}:\n${lines.join('\n')}`;
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

function paragraphs(texts: readonly string[]): string {
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}
