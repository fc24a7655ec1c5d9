#!/usr/bin/env node
/**
 * Writes the reference of commands, docs/cli.md, from the command table of `packages/edges/cli`. With `--check`, tells
 * whether it is up to date.
 */
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = join(root, 'docs', 'cli.md');

const { commandTable, globalFlags, refusedCommands, variableTable } = await table();
const text = reference();
if (process.argv.includes('--check')) {
  const upToDate = readFileSync(page, 'utf8').replaceAll('\r\n', '\n') === text;
  if (!upToDate)
    console.log(`${relative(root, page)} is not up to date: node ${relative(root, process.argv[1])}`);
  process.exitCode = upToDate ? 0 : 1;
} else writeFileSync(page, text);

/** Loads the table alone, without the code of commands. */
async function table() {
  const commands = join(root, 'packages', 'edges', 'cli', 'src', 'commands');
  const built = await build({
    stdin: {
      contents: `export { commandTable } from './table.js'; export { globalFlags } from '../flags/global.js'; export { refusedCommands } from './refused.js'; export { variableTable } from './variables.js';`,
      resolveDir: commands,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [
      {
        name: 'commands-stay-outside',
        setup: (context) =>
          context.onResolve({ filter: /.*/ }, ({ path, kind }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          ),
      },
    ],
  });
  return import(
    `data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString('base64')}`
  );
}

function reference() {
  return `${[
    '# Commands',
    '<!-- written by tools/cli-reference.mjs from the command table: packages/edges/cli/src/commands -->',
    `For people who look up a command or an option: the output of \`cairn COMMAND --help\` for every command.
[Operations](operations.md) describes the commands on resources and lists the exit codes.`,
    `You can set an option in the environment: \`CAIRN_OPTION_SKIP_PREVIEW=true\` is \`--skip-preview\`. The command line takes
precedence over the environment, and \`CAIRN_OPTION_…\` over \`PULUMI_OPTION_…\`. You can give a switch as \`--name=true\` or
\`--name=false\`. After \`--\` nothing is an option.`,
    contents(),
    '## Options of every command',
    options(globalFlags),
    ...commandTable.filter(({ hidden }) => hidden !== true).flatMap(section),
    '## Variables of the environment',
    `Besides \`CAIRN_OPTION_…\`, Cairn reads these. A variable takes precedence over the one of the same name that begins with
\`PULUMI_\`. \`cairn about env\` shows which are set.`,
    tableOf('variable', variableTable.map(variable)),
    '## What is not offered',
    'Commands and flags of Pulumi or Terraform that Cairn refuses with `CAIRN-NOT-OFFERED`.',
    tableOf('command', refusedCommands.map(refusal)),
    tableOf('option', refusedFlags()),
  ].join('\n\n')}\n`;
}

function contents() {
  const rows = commandTable
    .filter(({ hidden }) => hidden !== true)
    .map((spec) => {
      const name = nameOf(spec);
      return `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(spec.summary)} |`;
    });
  return ['| command | |', '|---|---|', ...rows].join('\n');
}

function section(spec) {
  const { aliases = [], args = [], flags = [], examples = [], summary } = spec;
  return [
    `## ${nameOf(spec)}`,
    `${summary}.${aliases.length > 0 ? ` Also \`${aliases.join('`, `')}\`.` : ''}`,
    fenced([usage(spec)]),
    ...(args.length > 0
      ? [
          tableOf(
            'argument',
            args.map(({ name, summary }) => [`\`${name}\``, cell(summary)]),
          ),
        ]
      : []),
    ...(flags.length > 0 ? [options(flags)] : []),
    ...(examples.length > 0 ? [fenced(examples)] : []),
  ];
}

function variable({ name, ours, also = [], summary }) {
  const others = ours === true ? [] : [`PULUMI_${name}`, ...also.map((each) => `PULUMI_${each}`)];
  return [[`CAIRN_${name}`, ...others].map((each) => `\`${each}\``).join(', '), cell(summary)];
}

function refusal({ path, aliases = [], reason, instead }) {
  const names = [path.join(' '), ...aliases].map((name) => `\`${name}\``).join(', ');
  return [names, cell(`${reason}${instead === undefined ? '' : `. ${instead}`}`)];
}

/** Returns refused flags, each once, with the commands that have them. */
function refusedFlags() {
  const found = new Map();
  const add = ({ name, refused }, command) => {
    if (refused === undefined) return;
    const row = found.get(name) ?? { refused, commands: [] };
    found.set(name, { ...row, commands: [...row.commands, command] });
  };
  for (const flag of globalFlags) add(flag, 'every command');
  for (const spec of commandTable) for (const flag of spec.flags ?? []) add(flag, `\`${nameOf(spec)}\``);
  return [...found].map(([name, { refused, commands }]) => [
    `\`--${name}\` of ${commands.join(', ')}`,
    cell(refused),
  ]);
}

function usage({ path, args = [], flags = [] }) {
  const words = args.map(({ name, required, repeat }) => {
    const word = repeat === true ? `${name}...` : name;
    return required ? `<${word}>` : `[${word}]`;
  });
  return ['cairn', ...path, ...words, ...(flags.length > 0 ? ['[options]'] : [])].join(' ');
}

function options(flags) {
  const offered = flags.filter(({ refused }) => refused === undefined);
  const rows = offered.map(({ name, short, value, alone, holds, summary }) => {
    const given = value === undefined ? '' : alone === undefined ? ` <${value}>` : `[=${value}]`;
    const long = `\`--${name}${given}\``;
    const both = short === undefined ? long : `\`-${short}\`, ${long}`;
    return [both, `${cell(summary)}${holds === 'list' ? '; may be given several times' : ''}`];
  });
  return tableOf('option', rows);
}

function tableOf(title, rows) {
  return [`| ${title} | |`, '|---|---|', ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function fenced(lines) {
  return ['```', ...lines, '```'].join('\n');
}

function nameOf({ path }) {
  return path.join(' ');
}

/** Escapes text for a cell of a table. */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;');
}
