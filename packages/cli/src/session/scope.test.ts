import { asUrn } from '@cairn/addresses';
import { emptySnapshot, resourceEntry } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import { commandTable } from '../commands/table.js';
import { parseCommandLine } from '../commands/parse.js';
import type { Operation } from './operate.js';
import { refuseContradictions, scopeOf } from './scope.js';

const KINDS: Readonly<Record<string, Operation['kind']>> = {
  up: 'up',
  preview: 'up',
  destroy: 'destroy',
  refresh: 'refresh',
};

function operation(line: string): Pick<Operation, 'kind' | 'flags'> {
  const parsed = parseCommandLine(commandTable, line.split(' '), {});
  if (parsed.t !== 'command') throw new Error(`not a command: ${parsed.text}`);
  return { kind: KINDS[parsed.spec.path[0] ?? ''] ?? 'up', flags: parsed.invocation.flags };
}

const urn = (name: string) => asUrn(`urn:pulumi:dev::shop::pkg:m:Type::${name}`);
const state: Snapshot = {
  ...emptySnapshot,
  resources: ['kept', 'free'].map((name) =>
    resourceEntry({ urn: urn(name), type: 'pkg:m:Type', custom: true, id: name, protect: name === 'kept' }),
  ),
};
const nothing = {
  targets: [],
  targetDependents: false,
  excludes: [],
  excludeDependents: false,
  replace: [],
};

test.each([
  ['up', {}],
  ['up --target a --target b --target-dependents', { targets: ['a', 'b'], targetDependents: true }],
  ['preview --exclude a --exclude-dependents', { excludes: ['a'], excludeDependents: true }],
  ['up --replace a --target-replace b -t c', { replace: ['a', 'b'], targets: ['c', 'b'] }],
  ['refresh --exclude a', { excludes: ['a'] }],
  ['destroy --exclude a --exclude-protected', { excludes: ['a', urn('kept')] }],
])('cairn %s', (line, expected) => {
  expect(scopeOf(operation(line), state)).toEqual({
    scope: { ...nothing, ...expected },
    ignoreProtect: false,
  });
});

test.each(['up', 'preview', 'destroy'])('cairn %s --ignore-protect', (command) => {
  expect(scopeOf(operation(`${command} --ignore-protect`), state).ignoreProtect).toBe(true);
});

test.each([
  ['up --target a --exclude b', '--target and --exclude'],
  ['preview --target-replace a --exclude b', '--target-replace and --exclude'],
  ['destroy --target a --exclude-protected', '--target and --exclude-protected'],
  ['refresh --target a --exclude b', '--target and --exclude'],
])('cairn %s is refused', (line, flags) => {
  expect(() => refuseContradictions(operation(line))).toThrow(`${flags} cannot be given together`);
});

test.each(['up --target a --replace b', 'destroy --exclude a', 'refresh'])('cairn %s is not', (line) => {
  expect(() => refuseContradictions(operation(line))).not.toThrow();
});
