import { base64Crypter } from '@cairn/crypters';
import { secret } from '@cairn/values';
import { failureOf } from '../../test/failure-of.js';
import { encodeJournalEntry } from './journal-codec.js';
import type { SerializedJournalEntry } from './journal-codec.js';
import { Replayer } from './replayer.js';
import { resourceEntry } from '../snapshot/resource-entry.js';
import { emptyDeployment, noManifest } from '../document/serialized.js';
import type { SerializedDeployment, SerializedResource } from '../document/serialized.js';

/**
 * Cases in which documentation of journals and the format's reference implementation disagree; the latter counts
 * [JRN-6].
 */
const urn = (id: string): string => `urn:pulumi:dev::p::a:b:C::${id}`;
const resource = (id: string, more: Partial<SerializedResource> = {}): SerializedResource => ({
  ...{ urn: urn(id), custom: true, id, type: 'a:b:C' },
  ...more,
});
const base = [resource('x'), resource('y')];

type Entry = Omit<SerializedJournalEntry, 'sequenceId'>;

function replayed(
  entries: readonly Entry[],
  from: Partial<SerializedDeployment> = { resources: base },
): SerializedDeployment {
  const replayer = new Replayer({ ...emptyDeployment, ...from }, 'j');
  entries.forEach((entry, index) => replayer.add({ sequenceId: index + 1, ...entry }));
  return replayer.generate(noManifest);
}

const ids = ({ resources }: SerializedDeployment): readonly string[] =>
  resources.map(({ id = '', delete: deleted }) => (deleted === true ? `${id} deleted` : id));

test.each<[string, readonly Entry[], readonly string[]]>([
  [
    'a begin only records what is pending; marks act on success',
    [{ kind: 'begin', operationId: 1, deleteOld: 0, removeOld: 1 }],
    ['x', 'y'],
  ],
  [
    'six fields, old and new each: what is new is named by the operation that added it',
    [
      { kind: 'success', operationId: 7, state: resource('a') },
      { kind: 'success', operationId: 9, state: resource('b'), deleteNew: 7, deleteOld: 1 },
    ],
    ['a deleted', 'b', 'x', 'y deleted'],
  ],
  ['index 0 is an index', [{ kind: 'success', operationId: 1, removeOld: 0 }], ['y']],
  [
    'a success appends its state whatever else it carries; without a state it appends nothing',
    [
      { kind: 'success', operationId: 1, state: resource('a'), removeOld: 0, deleteOld: 1 },
      { kind: 'success', operationId: 2 },
    ],
    ['a', 'y deleted'],
  ],
  [
    'a refresh that found a new object replaces it in its place; one that found none removes it',
    [
      { kind: 'success', operationId: 1, state: resource('a') },
      { kind: 'success', operationId: 2, state: resource('b') },
      { kind: 'refresh-success', operationId: 3, removeNew: 1, state: resource('a2') },
      { kind: 'refresh-success', operationId: 4, removeNew: 2 },
    ],
    ['a2', 'x', 'y'],
  ],
  [
    'a refresh of what was there before goes by removeOld',
    [
      { kind: 'refresh-success', operationId: 1, removeOld: 0, state: resource('x2') },
      { kind: 'refresh-success', operationId: 2, removeOld: 1 },
    ],
    ['x2'],
  ],
  [
    'outputs are an entry of their own, and leave what is pending alone',
    [{ kind: 'outputs', operationId: 1, removeOld: 1, state: resource('y2') }],
    ['x', 'y2'],
  ],
  [
    'what is removed is filtered by its first index, not while it is walked',
    [
      { kind: 'success', operationId: 1, removeOld: 0 },
      { kind: 'success', operationId: 2, removeOld: 1, state: resource('y2') },
    ],
    ['y2'],
  ],
  [
    'a whole snapshot may come at any time, and nothing else is reset',
    [
      { kind: 'success', operationId: 1, state: resource('a') },
      { kind: 'write', operationId: 0, newSnapshot: { ...emptyDeployment, resources: [resource('z')] } },
    ],
    ['a', 'z'],
  ],
  [
    'a rebuilt base takes in what came before it',
    [
      { kind: 'success', operationId: 1, state: resource('a'), removeOld: 0 },
      { kind: 'rebuilt-base-state', operationId: 0 },
      { kind: 'success', operationId: 2, removeOld: 0 },
    ],
    ['y'],
  ],
  [
    'entries count in the order in which they are given; an operation may end with another number in between',
    [
      { kind: 'begin', operationId: 1 },
      { kind: 'begin', operationId: 2 },
      { kind: 'success', operationId: 2, state: resource('b') },
      { kind: 'success', operationId: 1, state: resource('a') },
    ],
    ['b', 'a', 'x', 'y'],
  ],
])('4.9 %s', (_, entries, expected) => expect(ids(replayed(entries))).toEqual(expected));

test('4.9 kinds go on after the rebuilt base: secrets manager, extension, snippets', () => {
  const after = replayed([
    { kind: 'secrets-manager', operationId: 0, secretsProvider: { type: 'b64', state: '{}' } },
    { kind: 'extension-parameterize', operationId: 3, extensionRef: 'r', extension: { name: 'e' } },
    {
      kind: 'snippets',
      operationId: 0,
      snippets: [{ uuid: 'u', name: 'n', type: 't', code: 'c', descriptor: { name: 'd' } }],
    },
  ]);
  expect(after.secretsProvider?.type).toBe('b64');
  expect(Object.keys(after.extensions)).toEqual(['r']);
  expect(after.snippets.map(({ uuid }) => uuid)).toEqual(['u']);
});

test('4.9 after a refresh, what the state refers to and is gone goes: dependencies, deletedWith and parents', () => {
  const user = resource('u', { parent: urn('x'), deletedWith: urn('x'), dependencies: [urn('x'), urn('y')] });
  const after = replayed([{ kind: 'refresh-success', operationId: 1, removeOld: 0 }], {
    resources: [...base, user],
  });
  const { parent = '', deletedWith = '', dependencies } = after.resources.at(-1) ?? {};
  expect([parent, deletedWith, dependencies]).toEqual(['', '', [urn('y')]]);
});

test('4.9 aliases are resolved, and the manifest and features are of this writing', () => {
  const after = replayed([
    { kind: 'success', operationId: 1, removeOld: 0, state: resource('new', { aliases: [urn('x')] }) },
    { kind: 'success', operationId: 2, removeOld: 1, state: resource('y', { dependencies: [urn('x')] }) },
  ]);
  expect(after.resources.map(({ aliases, dependencies }) => [aliases ?? [], dependencies ?? []])).toEqual([
    [[], []],
    [[], [urn('new')]],
  ]);
  expect(after.manifest).toBe(noManifest);
});

test('4.9 an operation that added nothing is no operation to refer to', () => {
  expect(failureOf(() => replayed([{ kind: 'success', operationId: 1, removeNew: 5 }])).code).toBe(
    'CAIRN-JOURNAL-CORRUPT',
  );
});

test('4.9 the secret inside a secret stands as plain JSON text under "ciphertext"', () => {
  const entry = resourceEntry({
    urn: urn('s') as never,
    type: 'a:b:C',
    custom: true,
    id: 's',
    inputs: { p: secret({ q: secret('deep') }) },
  });
  const written = JSON.stringify(
    encodeJournalEntry({ kind: 'success', sequenceId: 1, operationId: 1, state: entry }, base64Crypter),
  );
  const outer = /"ciphertext":"([^"]+)"/.exec(written)?.[1] ?? '';
  expect(Buffer.from(outer, 'base64').toString()).toBe(
    '{"q":{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"\\"deep\\""}}',
  );
});
