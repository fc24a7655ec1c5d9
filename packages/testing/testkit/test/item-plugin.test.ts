import { makeUrn } from '@cairn/addresses';
import { emptyMap, propertyMap, secret } from '@cairn/values';
import { Http2Caller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { ItemProvider } from '../src/index.js';

/** The provider of the plugin `pulumi-resource-test`, over the engine's kind of connection. */

const type = 'test:index:Item';
const name = 'n';
const identity = { urn: makeUrn({ stack: 's', project: 'p', type, name }), name, type };
const inputs = propertyMap({ a: 1, key: secret('s3') });

test('an item is created, compared, updated, read and deleted at once', async () => {
  const server = await startServer({ services: [providerService(new ItemProvider())] });
  const provider = new ProviderClient(new Http2Caller(server.address));
  try {
    await provider.handshake({ engineAddress: '127.0.0.1:1' });
    await provider.configure({ ...identity, id: 'x', inputs: emptyMap });
    const created = await provider.create({ ...identity, inputs, timeoutSeconds: 0, preview: false });
    expect(created.outputs).toEqual(propertyMap({ a: 1, key: secret('s3'), id: created.id }));
    expect((await provider.create({ ...identity, inputs, timeoutSeconds: 0, preview: true })).id).toBe('');
    const compare = async (news: typeof inputs) => {
      const request = { ...identity, id: created.id, oldInputs: inputs, oldOutputs: created.outputs };
      return (await provider.diff({ ...request, news, allowUnknowns: false, ignoreChanges: [] })).changes;
    };
    expect([await compare(inputs), await compare(propertyMap({ a: 2 }))]).toEqual(['none', 'some']);
    const state = created.outputs;
    expect(
      await provider.read({ ...identity, id: created.id, inputs, state, timeoutSeconds: 0 }),
    ).toMatchObject({ id: created.id, outputs: state });
    await provider.delete({
      ...identity,
      id: created.id,
      oldInputs: inputs,
      oldOutputs: state,
      timeoutSeconds: 0,
    });
    const other = {
      ...identity,
      type: 'test:index:Other',
      olds: undefined,
      news: inputs,
      randomSeed: new Uint8Array(32),
      allowUnknowns: false,
    };
    await expect(provider.check(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  } finally {
    await provider.close();
    await server.close();
  }
});
