import { record } from '@cairn/tfplugin';
import type { TfValue } from '@cairn/tfplugin';
import { inProcessCaller, ScriptedTerraformProvider } from '@cairn/testkit/terraform';
import { propertyMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';
import type { Provider } from '@cairn/wire';
import { createBridge } from '../src/index.js';

/** Returns a function without parameters that returns one value. */
const giving = (returns: unknown, value: TfValue) => ({
  parameters: [],
  returns: returns as 'string',
  call: () => value,
});

const scripted = new ScriptedTerraformProvider({
  functions: {
    text: giving('string', 'a'),
    some: giving('dynamic', null),
    by_key: giving(['map', 'number'], record([['a_b', 1]])),
    parse: giving(
      ['object', { whole_part: 'number', parts: ['list', ['object', { is_odd: 'bool' }]] }],
      record([
        ['parts', [record([['is_odd', true]])]],
        ['whole_part', 3],
      ]),
    ),
  },
});

let bridge: Provider;
let schema: {
  readonly functions: Readonly<Record<string, { readonly outputs: unknown }>>;
  readonly types: object;
};
beforeAll(async () => {
  const caller = inProcessCaller([scripted.service()]);
  const rest = { ended: () => undefined, cancel: async () => undefined, stop: async () => undefined };
  const running = { protocolVersion: scripted.protocol, caller, ...rest };
  bridge = createBridge({ cwd: '/', env: {}, launch: async () => ({ name: 'acme/sums', running }) });
  await bridge.handshake({ engineAddress: '' });
  const value = Buffer.from(JSON.stringify({ source: 'acme/sums', version: '1.0.0', name: 'sums' }));
  await bridge.parameterize({ parameters: { kind: 'value', name: 'sums', version: '1.0.0', value } });
  schema = JSON.parse(await bridge.getSchema({ version: 0 })) as typeof schema;
});

test.each<[string, unknown, PropertyValue]>([
  ['text', { type: 'string' }, { result: 'a' }],
  ['some', { $ref: 'pulumi.json#/Any' }, { result: null }],
  ['byKey', { type: 'object', additionalProperties: { type: 'number' } }, { result: { a_b: 1 } }],
  [
    'parse',
    {
      type: 'object',
      properties: {
        parts: { type: 'array', items: { $ref: '#/types/sums:index/parseParts:ParseParts' } },
        wholePart: { type: 'number' },
      },
      required: ['parts', 'wholePart'],
    },
    { wholePart: 3, parts: [{ isOdd: true }] },
  ],
])(
  'the function %s answers what its schema says: the properties of an object, or one value',
  async (name, outputs, result) => {
    const token = `sums:index/${name}:${name}`;
    expect(schema.functions[token]?.outputs).toEqual(outputs);
    const answer = await bridge.invoke({ token, args: propertyMap({}), preview: false });
    expect(JSON.parse(JSON.stringify(answer.result))).toEqual(result);
  },
);
