import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import type { CommandSpec } from '../command-spec.js';
import type { FlagSpec } from '../flags/flag-spec.js';
import { globalFlags } from '../flags/global.js';
import { parseCommandLine } from './parse.js';
import { refusedCommands } from './refused.js';
import { commandTable } from './table.js';

/**
 * Commands and flags of Pulumi 3.260, from its own specification of the command line. `testdata` has the flags by
 * command, each with its short form, and with a colon if it takes a value. Flags that are not honoured are refused with
 * a reason; none is unknown [CLI-1].
 */
interface Words {
  readonly aliases?: readonly string[];
  readonly flags: Readonly<Record<string, string>>;
}

const file = path.join(__dirname, 'testdata', 'pulumi-3.260.json');
const PULUMI = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, Words>>);

function namesOf(row: { readonly path: readonly string[]; readonly aliases?: readonly string[] }) {
  return [row.path.at(-1) ?? '', ...(row.aliases ?? [])];
}

function commandOf(command: string): CommandSpec | undefined {
  const words = command.split(' ');
  return commandTable.find(
    (row) =>
      row.path.length === words.length &&
      row.path.slice(0, -1).join(' ') === words.slice(0, -1).join(' ') &&
      namesOf(row).includes(words.at(-1) ?? ''),
  );
}

/** Tells whether a row refuses the command or one above it. */
function isRefused(command: string): boolean {
  const words = command.split(' ');
  return refusedCommands.some(
    (row) =>
      words.slice(0, row.path.length - 1).join(' ') === row.path.slice(0, -1).join(' ') &&
      namesOf(row).includes(words[row.path.length - 1] ?? ''),
  );
}

const offered = PULUMI.filter(([command]) => command !== '' && !isRefused(command));

test('no command is unknown', () => {
  const unknown = offered.filter(([command]) => commandOf(command) === undefined && !isGroup(command));
  expect(unknown.map(([command]) => command)).toEqual([]);
});

/** Tells whether commands below it are offered: its own name prints their help. */
function isGroup(command: string): boolean {
  return commandTable.some(({ path: words }) => words.join(' ').startsWith(`${command} `));
}

test('no other name of a command is unknown', () => {
  const unknown = offered.flatMap(([command, { aliases = [] }]) => {
    const row = commandOf(command);
    return row === undefined
      ? []
      : aliases.filter((alias) => !namesOf(row).includes(alias)).map((alias) => `${command}: ${alias}`);
  });
  expect(unknown).toEqual([]);
});

test('no flag is unknown, nor its short form, nor whether it takes a value', () => {
  const wrong = PULUMI.filter(([command]) => command === '' || commandOf(command) !== undefined).flatMap(
    ([command, { flags }]) => {
      const known: readonly FlagSpec[] = [
        ...(command === '' ? [] : (commandOf(command)?.flags ?? [])),
        ...globalFlags,
      ];
      return Object.entries(flags).flatMap(([name, form]) => {
        const flag = known.find((each) => each.name === name);
        if (flag === undefined) return [`${command} --${name}`];
        const short = form.replace(':', '');
        if (short !== '' && flag.short !== short) return [`${command} -${short}`];
        const takes = form.endsWith(':');
        // Switches that take `=true` and `=false` are listed as texts there.
        return takes === (flag.value !== undefined) || flag.alone !== undefined || SWITCHES.has(name)
          ? []
          : [`${command} --${name} value`];
      });
    },
  );
  expect(wrong).toEqual([]);
});

const SWITCHES: ReadonlySet<string> = new Set(['refresh', 'suppress-permalink']);

test.each(
  commandTable.flatMap(({ path: words, flags = [] }) =>
    flags
      .filter(({ refused }) => refused !== undefined)
      .map((flag) => [`${words.join(' ')} --${flag.name}`, words, flag] as const),
  ),
)('%s is refused with its reason', (_name, words, { name, value, refused }) => {
  const required =
    commandTable.find((row) => row.path === words)?.args?.filter(({ required: must }) => must) ?? [];
  const line = [...words, value === undefined ? `--${name}` : `--${name}=x`, ...required.map(() => 'x')];
  expect(() => parseCommandLine(commandTable, line, {})).toThrow(
    expect.objectContaining({ message: expect.stringContaining(refused ?? '') as string }) as Error,
  );
  try {
    parseCommandLine(commandTable, line, {});
  } catch (error) {
    expect(isCairnError(error) && error.diagnostics[0]?.code).toBe('CAIRN-NOT-OFFERED');
  }
});
