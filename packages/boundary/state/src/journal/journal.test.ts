import { asUrn } from '@cairn/addresses';
import { base64Crypter } from '@cairn/crypters';
import { ByteString, Secret, propertyMap } from '@cairn/values';
import { failureOf } from '../../test/failure-of.js';
import { encodeJournalEntry, takeJournalEntry } from './journal-codec.js';
import { JOURNAL_KINDS } from './journal-entry.js';
import type { JournalEntry } from './journal-entry.js';
import { resourceEntry } from '../snapshot/resource-entry.js';
import { emptyDeployment } from '../document/serialized.js';

const entry = resourceEntry({
  urn: asUrn('urn:pulumi:dev::p::a:b:C::x'),
  type: 'a:b:C',
  custom: true,
  id: 'i',
  aliases: [asUrn('urn:pulumi:dev::p::a:b:C::y')],
});
const text = (journal: JournalEntry): string => JSON.stringify(encodeJournalEntry(journal, base64Crypter));

test.each<[JournalEntry, string]>([
  [
    { kind: 'begin', sequenceId: 1, operationId: 2 },
    '{"version":1,"kind":0,"sequenceID":1,"operationID":2,"removeOld":null,"removeNew":null}',
  ],
  [
    { kind: 'success', sequenceId: 3, operationId: 2, removeOld: 0, removeNew: 0 },
    '{"version":1,"kind":1,"sequenceID":3,"operationID":2,"removeOld":0,"removeNew":0}',
  ],
  [
    {
      kind: 'success',
      sequenceId: 3,
      operationId: 2,
      pendingReplacementOld: 0,
      pendingReplacementNew: 1,
      deleteOld: 0,
      deleteNew: 1,
      isRefresh: true,
    },
    '{"version":1,"kind":1,"sequenceID":3,"operationID":2,"removeOld":null,"removeNew":null,"pendingReplacementOld":0,"pendingReplacementNew":1,"deleteOld":0,"deleteNew":1,"isRefresh":true}',
  ],
  [
    { kind: 'refresh-success', sequenceId: 9, operationId: 2, isRefresh: false },
    '{"version":1,"kind":3,"sequenceID":9,"operationID":2,"removeOld":null,"removeNew":null}',
  ],
  [
    {
      kind: 'secrets-manager',
      sequenceId: 1,
      operationId: 0,
      secretsProvider: { type: 'passphrase', state: '{"salt":"v1:x"}' },
    },
    '{"version":1,"kind":6,"sequenceID":1,"operationID":0,"removeOld":null,"removeNew":null,"secretsProvider":{"type":"passphrase","state":{"salt":"v1:x"}}}',
  ],
  [
    { kind: 'snippets', sequenceId: 1, operationId: 0, snippets: [] },
    '{"version":1,"kind":9,"sequenceID":1,"operationID":0,"removeOld":null,"removeNew":null}',
  ],
  [
    {
      kind: 'extension-parameterize',
      sequenceId: 1,
      operationId: 1,
      extensionRef: 'r',
      extension: { name: 'n' },
    },
    '{"version":1,"kind":8,"sequenceID":1,"operationID":1,"removeOld":null,"removeNew":null,"extensionRef":"r","extension":{"name":"n"}}',
  ],
])('%j', (journal, json) => {
  expect(text(journal)).toBe(json);
});

test('states and operations are in the form of the file, aliases kept, secrets sealed', () => {
  const state = { ...entry, inputs: propertyMap({ a: new Secret('hunter2') }) };
  const json = encodeJournalEntry(
    {
      kind: 'success',
      sequenceId: 1,
      operationId: 1,
      state,
      operation: { type: 'creating', resource: entry },
    },
    base64Crypter,
  );
  expect(JSON.stringify(json)).not.toContain('hunter2');
  expect(json['state']).toMatchObject({
    urn: entry.urn,
    custom: true,
    type: 'a:b:C',
    id: 'i',
    aliases: entry.aliases,
  });
  expect(json['operation']).toMatchObject({ type: 'creating', resource: { urn: entry.urn } });
  expect(json['requiresByteString']).toBeUndefined();
});

test('byte strings, inside secrets too, are told', () => {
  const state = { ...entry, outputs: propertyMap({ a: new Secret(new ByteString(Uint8Array.of(255))) }) };
  expect(
    encodeJournalEntry({ kind: 'success', sequenceId: 1, operationId: 1, state }, base64Crypter)[
      'requiresByteString'
    ],
  ).toBe(true);
});

test('every entry is read back as it was', () => {
  for (const kind of JOURNAL_KINDS) {
    const journal: JournalEntry = {
      kind,
      sequenceId: 5,
      operationId: 4,
      removeOld: 0,
      removeNew: 1,
      pendingReplacementOld: 2,
      pendingReplacementNew: 3,
      deleteOld: 4,
      deleteNew: 5,
      state: entry,
      operation: { type: 'importing', resource: entry },
      isRefresh: true,
      secretsProvider: { type: 'b64', state: undefined },
      snippets: [{ uuid: 'u', name: 'n', type: 't', code: 'c', descriptor: {} }],
      newSnapshot: { ...emptyDeployment, secretsProvider: { type: 'b64', state: '{"a":1}' } },
      extensionRef: 'r',
      extension: 'e',
    };
    const { state, operation, ...read } = takeJournalEntry(JSON.parse(text(journal)), 'j');
    const { state: _state, operation: _operation, ...given } = journal;
    expect(read).toEqual({ ...given, requiresByteString: false });
    expect(state?.urn).toBe(entry.urn);
    expect(operation?.type).toBe('importing');
  }
});

test('an entry of this process is taken as it would be read back', () => {
  const secret = {
    ...entry,
    outputs: propertyMap({ a: new Secret('hunter2'), b: new ByteString(Uint8Array.of(1)) }),
  };
  const references = {
    removeOld: 0,
    removeNew: 1,
    pendingReplacementOld: 2,
    deleteNew: 5,
    isRefresh: true,
  } as const;
  const common = { sequenceId: 5, operationId: 4 };
  const given: readonly JournalEntry[] = [
    ...JOURNAL_KINDS.map((kind) => ({ kind, ...common, ...references })),
    { kind: 'begin', ...common, operation: { type: 'creating', resource: secret } },
    { kind: 'success', ...common, ...references, state: secret },
    { kind: 'secrets-manager', ...common, secretsProvider: { type: 'b64', state: '{ "a": 1 }' } },
    { kind: 'snippets', ...common, snippets: [] },
    { kind: 'write', ...common, newSnapshot: emptyDeployment },
    { kind: 'extension-parameterize', ...common, extensionRef: 'r', extension: { b: 1 } },
  ];
  for (const journal of given) {
    const json = encodeJournalEntry(journal, base64Crypter);
    const read = takeJournalEntry(JSON.parse(JSON.stringify(json)), 'j');
    expect(takeJournalEntry(json, 'j')).toEqual(read);
  }
});

const good = { version: 1, kind: 1, sequenceID: 1, operationID: 1, removeOld: null, removeNew: null };
test.each<[string, unknown, string, string]>([
  ['no object', [], 'CAIRN-JOURNAL-CORRUPT', 'not an object'],
  ['version 2', { ...good, version: 2 }, 'CAIRN-STATE-TOO-NEW', 'format version is 2'],
  ['unknown kind', { ...good, kind: 10 }, 'CAIRN-JOURNAL-CORRUPT', 'unknown kind 10'],
  ['no kind', { ...good, kind: undefined }, 'CAIRN-JOURNAL-CORRUPT', 'unknown kind'],
  ['no sequence id', { ...good, sequenceID: 0 }, 'CAIRN-JOURNAL-CORRUPT', 'no sequence id'],
  ['half an index', { ...good, removeOld: 0.5 }, 'CAIRN-JOURNAL-CORRUPT', '"removeOld"'],
  ['a negative index', { ...good, deleteNew: -1 }, 'CAIRN-JOURNAL-CORRUPT', '"deleteNew"'],
  [
    'a state that is a text',
    { ...good, state: 'x' },
    'CAIRN-STATE-CORRUPT',
    'entry 1: state is not an object',
  ],
  [
    'a malformed manager',
    { ...good, secretsProvider: {} },
    'CAIRN-JOURNAL-CORRUPT',
    'malformed secrets provider',
  ],
])('%s is refused', (_name, json, code, message) => {
  const failure = failureOf(() => takeJournalEntry(json, 'j/1.log'));
  expect(failure).toMatchObject({ code, summary: expect.stringContaining(message) });
  expect(failure.summary).toContain('j/1.log');
});
