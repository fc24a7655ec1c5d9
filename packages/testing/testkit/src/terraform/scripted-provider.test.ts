import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { dynamicValue, impliedType, protocols, readDynamicValue, decodeSchema } from '@cairn/tfplugin';
import type { Block, TfValue } from '@cairn/tfplugin';
import { valueOf, written } from '@cairn/tfplugin/notation';
import { serviceClient } from '@cairn/wire/caller';
import { boxesProvider, DirectoryStore, inProcessCaller, ScriptedTerraformProvider } from './index.js';
import type { BoxesOptions } from './index.js';

const THING = {
  fake_thing: { schema: { id: ['C', 'string'], name: ['O', 'string'], size: ['O', 'number'] } },
} as const;

async function connected(provider: ScriptedTerraformProvider) {
  const { service } = protocols[provider.protocol];
  const client = serviceClient(service, inProcessCaller([provider.service()]));
  const schemas = await client.getProviderSchema({});
  const blockOfType = (type: string): Block => decodeSchema(schemas.resourceSchemas.get(type) as never).block;
  const plan = async (typeName: string, prior: unknown, config: unknown, proposed = config) => {
    const block = blockOfType(typeName);
    const type = impliedType(block);
    const send = (json: unknown) => dynamicValue(type, valueOf(block, json));
    const answer = await client.planResourceChange({
      typeName,
      priorState: send(prior),
      proposedNewState: send(proposed),
      config: send(config),
      priorPrivate: Buffer.from('before'),
      providerMeta: undefined,
      clientCapabilities: undefined,
      priorIdentity: undefined,
    });
    return { ...answer, value: readDynamicValue(type, answer.plannedState) };
  };
  const apply = async (typeName: string, prior: TfValue, planned: TfValue, config: unknown) => {
    const block = blockOfType(typeName);
    const type = impliedType(block);
    const answer = await client.applyResourceChange({
      typeName,
      priorState: dynamicValue(type, prior),
      plannedState: dynamicValue(type, planned),
      config: dynamicValue(type, valueOf(block, config)),
      plannedPrivate: new Uint8Array(),
      providerMeta: undefined,
      plannedIdentity: undefined,
    });
    return { ...answer, value: readDynamicValue(type, answer.newState) };
  };
  return { client, schemas, plan, apply };
}

const boxes = (options: BoxesOptions = {}) => connected(boxesProvider(options));

test.each([5, 6] as const)(
  'what is computed is unknown in a plan and made by an apply, protocol %d',
  async (protocol) => {
    const provider = boxesProvider({
      protocol,
      store: new DirectoryStore(mkdtempSync(path.join(tmpdir(), 'boxes-'))),
    });
    const { plan, apply } = await connected(provider);
    const config = { name: 'a', secret: 'x', wall: [{ side: 'left' }], lock: { kind: 'k' } };
    const { value: planned } = await plan('boxes_box', null, config);
    expect(written(planned)).toMatchObject({
      id: { $unknown: true },
      name: 'a',
      secret: null,
      wall: [{ side: 'left', area: { $unknown: true }, height: null }],
      lock: { serial: { $unknown: true } },
    });
    const { value: made } = await apply('boxes_box', null, planned, config);
    expect(written(made)).toMatchObject({
      id: 'boxes_box-1',
      revision: 'revision of boxes_box-1',
      secret: null,
    });
    await apply('boxes_box', made, null, null);
    expect(provider.store.effects().map(({ effect, id }) => `${effect} ${id}`)).toEqual([
      'create boxes_box-1',
      'delete boxes_box-1',
    ]);
    expect(provider.store.ids('boxes_box')).toEqual([]);
  },
);

test('what asks for a replacement and what is made anew', async () => {
  const { plan } = await boxes();
  const prior = { id: 'x', name: 'a', material: 'm', revision: 'r', label: 'l', key: 'k' };
  const same = await plan('boxes_box', prior, { name: 'a' }, prior);
  expect(written(same.value)).toMatchObject({ revision: 'r' });
  const sized = await plan('boxes_box', prior, { name: 'a', size: 1 }, { ...prior, size: 1 });
  expect(written(sized.value)).toMatchObject({ revision: { $unknown: true }, size: 1, key: 'k' });
  expect(sized.requiresReplace).toEqual([]);
  const renamed = await plan('boxes_box', prior, { name: 'b' }, { ...prior, name: 'b' });
  expect(renamed.requiresReplace).toHaveLength(1);
});

test('calls are recorded with what they asked', async () => {
  const provider = new ScriptedTerraformProvider({ resources: THING });
  const { plan } = await connected(provider);
  await plan('fake_thing', null, { name: 'n', size: 2 });
  expect(provider.calls.map(({ call }) => call)).toEqual(['getProviderSchema', 'planResourceChange']);
  expect(provider.requests('planResourceChange')).toEqual([
    {
      typeName: 'fake_thing',
      priorState: null,
      proposedNewState: { id: null, name: 'n', size: 2 },
      config: { id: null, name: 'n', size: 2 },
      priorPrivate: 'before',
    },
  ]);
});

test('rules answer, change answers and are used up', async () => {
  const provider = new ScriptedTerraformProvider({
    resources: THING,
    rules: [
      { call: 'planResourceChange', skip: 1, times: 1, answer: { plannedState: null, plannedPrivate: 'p' } },
      {
        call: 'planResourceChange',
        times: 1,
        change: { 'plannedState.size': 7, requiresReplace: [['name']] },
      },
    ],
  });
  const { plan } = await connected(provider);
  const ask = async () => {
    const { value, plannedPrivate, requiresReplace } = await plan('fake_thing', null, { name: 'n' });
    return [written(value), Buffer.from(plannedPrivate).toString(), requiresReplace.length];
  };
  const standard = { id: { $unknown: true }, name: 'n', size: null };
  expect(await ask()).toEqual([{ ...standard, size: 7 }, 'before', 1]);
  expect(await ask()).toEqual([null, 'p', 0]);
  expect(await ask()).toEqual([standard, 'before', 0]);
  provider.next({
    call: 'planResourceChange',
    change: { plannedState: { $raw: [['object', { id: 'string' }], { id: 'x' }] } },
  });
  await expect(ask()).rejects.toThrow(/attribute/);
});

test.each([
  ['crash', { code: 'UNAVAILABLE' }],
  ['lose', { code: 'UNAVAILABLE' }],
  ['status', { code: 'INTERNAL' }],
] as const)('%s', async (fault, { code }) => {
  const provider = boxesProvider();
  const { plan, apply } = await connected(provider);
  const { value } = await plan('boxes_lid', null, { box_id: 'b' });
  provider.next({ call: 'applyResourceChange', fault });
  await expect(apply('boxes_lid', null, value, { box_id: 'b' })).rejects.toMatchObject({ status: code });
  expect(provider.store.effects()).toHaveLength(fault === 'lose' ? 1 : 0);
});

test('uses of rules and objects outlive a provider whose store is a folder', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'boxes-'));
  const rules = [{ call: 'applyResourceChange', times: 1, when: 'after', fault: 'crash' }] as const;
  const start = () => boxesProvider({ store: new DirectoryStore(directory), rules });
  const config = { box_id: 'b' };
  const create = async () => {
    const { plan, apply } = await connected(start());
    return apply('boxes_lid', null, (await plan('boxes_lid', null, config)).value, config);
  };
  await expect(create()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
  expect(written((await create()).value)).toMatchObject({ id: 'boxes_lid-2' });
  expect(start().store.ids('boxes_lid')).toEqual(['boxes_lid-1', 'boxes_lid-2']);
});

test('a schema of 1,000 types is as large as it is wanted', async () => {
  const { schemas, client } = await boxes({ padding: { types: 1000, bytes: 10_000_000 } });
  expect(schemas.resourceSchemas.size).toBe(1003);
  const { getProviderSchema } = protocols[6].service.methods;
  const bytes = getProviderSchema.responseType.encode(await client.getProviderSchema({})).finish().length;
  expect(bytes).toBeGreaterThan(9_900_000);
});
