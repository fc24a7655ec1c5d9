import { asUrn } from '@cairn/addresses';
import type { OperationKind } from '@cairn/engine';
import { emptySnapshot, resourceEntry } from '@cairn/state';
import type { Snapshot } from '@cairn/state';
import type { OperationOptions } from './operation-options.js';
import { refuseContradictions, wantedScope } from './scope.js';

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

test.each<[OperationKind, OperationOptions, object]>([
  ['up', {}, {}],
  ['up', { targets: ['a', 'b'], targetDependents: true }, { targets: ['a', 'b'], targetDependents: true }],
  ['up', { excludes: ['a'], excludeDependents: true }, { excludes: ['a'], excludeDependents: true }],
  [
    'up',
    { replace: ['a'], targetReplace: ['b'], targets: ['c'] },
    { replace: ['a', 'b'], targets: ['c', 'b'] },
  ],
  ['destroy', { replace: ['a'], targetReplace: ['b'] }, {}],
  ['refresh', { excludes: ['a'], excludeProtected: true }, { excludes: ['a'] }],
  ['destroy', { excludes: ['a'], excludeProtected: true }, { excludes: ['a', urn('kept')] }],
])('%s with %j', (kind, options, expected) => {
  expect(wantedScope({ kind, options }, state)).toEqual({
    scope: { ...nothing, ...expected },
    ignoreProtect: false,
  });
});

test.each<[OperationKind, boolean]>([
  ['up', true],
  ['destroy', true],
  ['refresh', false],
])('%s may ignore protection: %s', (kind, ignored) => {
  expect(wantedScope({ kind, options: { ignoreProtect: true } }, state).ignoreProtect).toBe(ignored);
});

test.each<[OperationKind, OperationOptions, string]>([
  ['up', { targets: ['a'], excludes: ['b'] }, '--target and --exclude'],
  ['up', { targetReplace: ['a'], excludes: ['b'] }, '--target-replace and --exclude'],
  ['destroy', { targets: ['a'], excludeProtected: true }, '--target and --exclude-protected'],
  ['refresh', { targets: ['a'], excludes: ['b'] }, '--target and --exclude'],
])('%s with %j is refused', (kind, options, named) => {
  expect(() => refuseContradictions({ kind, options })).toThrow(`${named} cannot be given together`);
});

test.each<[OperationKind, OperationOptions]>([
  ['up', { targets: ['a'], replace: ['b'] }],
  ['up', { targets: [], excludes: ['b'] }],
  ['destroy', { excludes: ['a'] }],
  ['refresh', {}],
])('%s with %j is not', (kind, options) => {
  expect(() => refuseContradictions({ kind, options })).not.toThrow();
});
