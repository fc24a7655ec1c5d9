import { dynamicValue, objectOf, readDynamicValue, record, UNKNOWN_VALUE } from '@cairn/tfplugin';
import type { TfRecord, TfValue } from '@cairn/tfplugin';
import { Http2Caller } from '@cairn/wire/caller';
import { startServer } from '@cairn/wire/server';
import { defineFunction, defineProvider, defineResource, s } from '@cairn/provider-sdk';
import { callsOf } from '../testdata/terraform-host.js';
import type { ProviderCalls } from '../testdata/terraform-host.js';
import { terraformProviderService } from './main.js';

const shelf = defineResource({
  inputs: { label: s.string(), tags: s.map(s.string({ maxLength: 3 })).optional() },
  outputs: { label: s.string(), where: s.string() },
  create: async ({ label }, { config }) => ({ id: label, outputs: { label, where: String(config['zone']) } }),
  update: async (_old, { label }, { config }) => ({ label, where: String(config['zone']) }),
  read: async (id, known, { config }) => {
    if (id === 'gone') return undefined;
    const label = known?.inputs.label ?? id;
    return { id, inputs: { label }, outputs: { label, where: String(config['zone']) } };
  },
});
const join = defineFunction({
  description: 'Puts words together.',
  inputs: { words: s.array(s.string()), separator: s.string({ maxLength: 2 }).default('-') },
  outputs: { joined: s.string(), count: s.integer() },
  pure: true,
  invoke: async ({ words, separator }) => {
    if (words.length === 0) throw new Error('there are no words');
    return { joined: words.join(separator), count: words.length };
  },
});
const where = defineFunction({
  inputs: {},
  outputs: { zone: s.string() },
  invoke: async (_given, { config }) => ({ zone: String(config['zone']) }),
});
const definition = defineProvider({
  name: 'shelves',
  version: '1.0.0',
  config: { zone: s.string() },
  resources: { 'index:Shelf': shelf },
  functions: { 'index:joinWords': join, 'net:where': where },
});

const ofShelf = objectOf({
  id: 'string',
  label: 'string',
  tags: { kind: 'map', element: 'string' },
  where: 'string',
});
const shelfValue = (values: Readonly<Record<string, TfValue>>): ReturnType<typeof dynamicValue> =>
  dynamicValue(ofShelf, record(['id', 'label', 'tags', 'where'].map((name) => [name, values[name] ?? null])));
const read = (message: Parameters<typeof readDynamicValue>[1]): TfRecord =>
  readDynamicValue(ofShelf, message) as TfRecord;
const config = (zone: TfValue) => ({
  config: dynamicValue(objectOf({ zone: 'string' }), record([['zone', zone]])),
});
const typeName = 'shelves_shelf';

describe.each([5, 6] as const)('calls of protocol %d [TFS-5]', (protocol) => {
  let call: ProviderCalls;
  let stop: () => Promise<void>;
  beforeEach(async () => {
    const server = await startServer({ services: [terraformProviderService(definition, protocol)] });
    const caller = new Http2Caller(server.address);
    call = callsOf(caller, protocol);
    stop = async () => {
      caller.close();
      await server.close();
    };
  });
  afterEach(() => stop());

  test('all that is offered is named in the schema and in the metadata', async () => {
    const schema = await call('getProviderSchema', {});
    expect([...schema.resourceSchemas.keys()]).toEqual(['shelves_shelf']);
    expect([...schema.dataSourceSchemas.keys()]).toEqual(['shelves_join_words', 'shelves_net_where']);
    expect([...schema.functions.keys()]).toEqual(['join_words']);
    expect(schema.serverCapabilities).toEqual({
      planDestroy: false,
      getProviderSchemaOptional: true,
      moveResourceState: false,
      generateResourceConfig: false,
    });
    const metadata = await call('getMetadata', {});
    expect(metadata).toMatchObject({
      resources: [{ typeName: 'shelves_shelf' }],
      dataSources: [{ typeName: 'shelves_join_words' }, { typeName: 'shelves_net_where' }],
      functions: [{ name: 'join_words' }],
    });
    expect((await call('getFunctions', {})).functions).toEqual(schema.functions);
  });

  test('a function takes its arguments in order and needs no configuration', async () => {
    const [words, separator] =
      (await call('getProviderSchema', {})).functions.get('join_words')?.parameters ?? [];
    expect([words?.name, String(words?.type && Buffer.from(words.type)), words?.allowNullValue]).toEqual([
      'words',
      '["list","string"]',
      false,
    ]);
    expect([separator?.name, separator?.allowNullValue]).toEqual(['separator', true]);
    const asked = async (list: readonly string[], between: string | null) => {
      const args = [dynamicValue({ kind: 'list', element: 'string' }, list), dynamicValue('string', between)];
      const { result, error } = await call('callFunction', { name: 'join_words', arguments: args });
      return error ?? readDynamicValue(objectOf({ count: 'number', joined: 'string' }), result);
    };
    expect(await asked(['a', 'b'], null)).toEqual({ count: 2, joined: 'a-b' });
    expect(await asked(['a', 'b'], '/')).toEqual({ count: 2, joined: 'a/b' });
    expect(await asked(['a'], 'abc')).toEqual({
      text: expect.stringContaining('separator'),
      functionArgument: 1,
    });
    expect(await asked([], null)).toEqual({ text: 'there are no words', functionArgument: undefined });
    expect(await call('callFunction', { name: 'other' })).toMatchObject({
      error: { text: 'there is no function other' },
    });
  });

  test('while settings are not known nothing is asked of handlers, and plans say so', async () => {
    await call('configureProvider', config(UNKNOWN_VALUE));
    const prior = { id: 'a', label: 'a', where: 'z1' };
    const found = await call('readResource', { typeName, currentState: shelfValue(prior) });
    expect([read(found.newState), found.diagnostics]).toEqual([{ ...prior, tags: null }, []]);
    const planned = await call('planResourceChange', { typeName, config: shelfValue({ label: 'b' }) });
    expect(read(planned.plannedState)).toEqual({
      id: UNKNOWN_VALUE,
      label: 'b',
      tags: null,
      where: UNKNOWN_VALUE,
    });
    expect([planned.diagnostics, planned.deferred]).toEqual([[], undefined]);
    const put = await call('planResourceChange', {
      typeName,
      config: shelfValue({ label: 'b' }),
      clientCapabilities: { deferralAllowed: true },
    });
    expect(put.deferred).toEqual({ reason: 2 });
    const asked = await call('readDataSource', {
      typeName: 'shelves_net_where',
      config: dynamicValue(objectOf({ zone: 'string' }), record([['zone', null]])),
    });
    expect(asked.diagnostics[0]?.detail).toBe('the settings of the provider are not known yet.');
  });

  test('a validation before the configuration is one of the schema, with the path of what is wrong', async () => {
    const wrong = shelfValue({ label: 'a', tags: record([['k', 'long']]) });
    const { diagnostics } = await call('validateResourceConfig', { typeName, config: wrong });
    expect(diagnostics.map(({ attribute }) => attribute?.steps.map(({ selector }) => selector))).toEqual([
      [
        { $case: 'attributeName', value: 'tags' },
        { $case: 'elementKeyString', value: 'k' },
      ],
    ]);
    const none = await call('validateResourceConfig', { typeName: 'shelves_other', config: wrong });
    expect(none.diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`)).toEqual([
      'Cannot answer ValidateResourceConfig: shelves has no resource type shelves_other.',
    ]);
  });

  test('an object is known by its id, and imported by it [TFS-6]', async () => {
    await call('configureProvider', config('z1'));
    const ofIdentity = objectOf({ id: 'string' });
    const idOf = (message: { identityData?: Parameters<typeof readDynamicValue>[1] } | undefined) =>
      readDynamicValue(ofIdentity, message?.identityData);
    const planned = await call('planResourceChange', { typeName, config: shelfValue({ label: 'b' }) });
    expect(planned.plannedIdentity).toBeUndefined();
    const { plannedState, plannedPrivate } = planned;
    const made = await call('applyResourceChange', {
      typeName,
      config: shelfValue({ label: 'b' }),
      plannedState,
      plannedPrivate,
    });
    expect([read(made.newState), idOf(made.newIdentity)]).toEqual([
      { id: 'b', label: 'b', tags: null, where: 'z1' },
      { id: 'b' },
    ]);
    const identity = { identityData: dynamicValue(ofIdentity, record([['id', 'b']])) };
    const imported = await call('importResourceState', { typeName, identity });
    const [stub] = imported.importedResources;
    const found = await call('readResource', { typeName, currentState: stub?.state, private: stub?.private });
    expect([read(found.newState)['where'], idOf(found.newIdentity)]).toEqual(['z1', { id: 'b' }]);
    const gone = await call('readResource', {
      typeName,
      currentState: shelfValue({ id: 'gone', label: 'x', where: 'y' }),
    });
    expect([readDynamicValue(ofShelf, gone.newState), gone.newIdentity]).toEqual([null, undefined]);
    const schemas = await call('getResourceIdentitySchemas', {});
    expect(schemas.identitySchemas.get(typeName)?.identityAttributes).toMatchObject([
      { name: 'id', requiredForImport: true },
    ]);
    const raw = await call('upgradeResourceIdentity', {
      typeName,
      rawIdentity: { json: Buffer.from('{"id":"b"}') },
    });
    expect(idOf(raw.upgradedIdentity)).toEqual({ id: 'b' });
  });
});
