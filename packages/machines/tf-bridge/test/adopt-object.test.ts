import { inProcessCaller, boxesProvider } from '@cairn/testkit/terraform';
import type { ScriptRule } from '@cairn/testkit/terraform';
import { isSecret } from '@cairn/values';
import { TerraformClient, adoptInstance, providerModel, readState, stateContent } from '../src/index.js';
import type { AdoptedInstance } from '../src/index.js';

/** A box of an earlier version, with values that the provider has chosen and values that it leaves empty. */
const ATTRIBUTES = {
  ...{ id: 'box-1', name: 'one', material: 'oak', size: 0, fragile: false, revision: 'r-1', label: '' },
  ...{
    pin: null,
    key: 'k-98765',
    secret: null,
    secret_version: null,
    colour: null,
    tags: {},
    contents: null,
  },
  ...{
    handles: null,
    dimensions: null,
    corners: null,
    extra: null,
    lock: null,
    limits: { weight: null, count: null },
  },
  ...{ wall: [], sticker: [], slot: {}, address: [], timeouts: null },
};

async function adopted(
  rules: readonly ScriptRule[],
  {
    isConfigured = true,
    instance = {},
  }: { readonly isConfigured?: boolean; readonly instance?: object } = {},
): Promise<AdoptedInstance & { readonly calls: readonly string[] }> {
  const provider = boxesProvider({ rules, protocol: 6 });
  const client = await TerraformClient.connect({
    ...{ name: 'acme/boxes', protocolVersion: 6 },
    caller: inProcessCaller([provider.service()]),
  });
  const model = providerModel(client.schema, { name: 'boxes', version: '1.0.0' });
  const document = {
    ...{ version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l', outputs: {}, check_results: null },
    resources: [
      {
        ...{ mode: 'managed', type: 'boxes_box', name: 'one', provider: 'provider["h.x/acme/boxes"]' },
        instances: [{ schema_version: 1, attributes: ATTRIBUTES, ...instance }],
      },
    ],
  };
  const [object] = stateContent(readState(Buffer.from(JSON.stringify(document)), 'x')).objects;
  const box = model.resources.get('boxes_box');
  if (object === undefined || box === undefined) throw new Error('the provider has no boxes');
  const made = await adoptInstance({ client, isConfigured }, box, object.text, object.instance);
  return { ...made, calls: provider.calls.map(({ call }) => call) };
}

const refusing = (times: number): ScriptRule => ({
  ...{ call: 'validateResourceConfig', times },
  diagnostics: [{ severity: 'error', summary: 'these two do not go together' }],
});

describe('an object of a state [TFF-5] [TFF-7]', () => {
  test('has the inputs with which it stays as it is', async () => {
    const { id, inputs, differs } = await adopted([]);
    expect([id, differs]).toEqual(['box-1', undefined]);
    expect(inputs).toEqual({
      ...{ name: 'one', material: 'oak', size: 0, fragile: false, label: '', tags: {} },
    });
  });

  test('has others where the provider refuses those', async () => {
    expect((await adopted([refusing(1)])).inputs).toMatchObject({ size: 0, tags: {} });
    expect((await adopted([refusing(2)])).inputs).toEqual({ name: 'one', material: 'oak' });
    expect((await adopted([refusing(3)])).inputs).toEqual({ name: 'one' });
    const none = await adopted([refusing(4)]);
    expect(none.inputs).toMatchObject({ label: '' });
    expect(none.differs).toContain('these two do not go together');
  });

  test('is told to differ where the provider plans something with all of them', async () => {
    const rule: ScriptRule = { call: 'planResourceChange', change: { 'plannedState.revision': 'r-2' } };
    expect((await adopted([rule])).differs).toBe('the provider plans to update it');
  });

  test('is not planned without settings, nor when it is tainted', async () => {
    for (const given of [{ isConfigured: false }, { instance: { status: 'tainted' } }]) {
      const { calls, differs } = await adopted([], given);
      expect([calls.includes('planResourceChange'), differs]).toEqual([false, undefined]);
    }
  });

  test('is neither read nor changed, and is kept as the state has it', async () => {
    const instance = { private: 'AAE=', dependencies: ['a_b.c'], unheard: 1e21 };
    const { outputs, calls } = await adopted([], { instance });
    expect(calls.filter((call) => /apply|read|import/i.test(call))).toEqual([]);
    const kept = outputs['__terraform'];
    expect(isSecret(kept)).toBe(true);
    expect(JSON.parse(String(isSecret(kept) ? kept.value : kept))).toEqual({
      ...{ type: 'boxes_box', schema_version: 1, attributes: ATTRIBUTES },
      ...instance,
    });
  });

  test('of a newer schema is refused', async () => {
    await expect(adopted([], { instance: { schema_version: 9 } })).rejects.toThrow(/newer/);
  });
});
