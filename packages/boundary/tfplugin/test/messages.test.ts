import { GRPCControllerDefinition, GRPCStdioDefinition } from '../src/generated/tfplugin/plugin.js';
import { ProviderDefinition as Provider5, Schema as Schema5 } from '../src/generated/tfplugin/tfplugin5.js';
import { ProviderDefinition as Provider6, Schema as Schema6 } from '../src/generated/tfplugin/tfplugin6.js';

const names = (definition: { methods: Record<string, { name: string }> }) =>
  Object.values(definition.methods).map(({ name }) => name);

test('the methods of both protocols', () => {
  expect(Provider5.fullName).toBe('tfplugin5.Provider');
  expect(Provider6.fullName).toBe('tfplugin6.Provider');
  const only5 = names(Provider5).filter((name) => !names(Provider6).includes(name));
  expect(only5).toEqual([
    'GetSchema',
    'PrepareProviderConfig',
    'ValidateResourceTypeConfig',
    'ValidateDataSourceConfig',
    'Configure',
    'Stop',
  ]);
  expect(names(Provider6)).toHaveLength(36);
  expect(GRPCControllerDefinition.fullName).toBe('plugin.GRPCController');
  expect(GRPCStdioDefinition.methods.streamStdio.responseStream).toBe(true);
});

test('write-only has another number in each protocol', () => {
  const attribute = { name: 'a', writeOnly: true };
  const bytes5 = Schema5.encode(Schema5.fromPartial({ block: { attributes: [attribute] } })).finish();
  const bytes6 = Schema6.encode(Schema6.fromPartial({ block: { attributes: [attribute] } })).finish();
  // Field 10 and field 11, both varints.
  expect(Buffer.from(bytes5).toString('hex')).toBe('120712050a01615001');
  expect(Buffer.from(bytes6).toString('hex')).toBe('120712050a01615801');
  expect(Schema5.decode(bytes5).block?.attributes[0]?.writeOnly).toBe(true);
});
