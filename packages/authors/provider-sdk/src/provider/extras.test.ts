import { makeUrn } from '@cairn/addresses';
import { propertyMap } from '@cairn/values';
import type { CreateRequest, Provider } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { InitFailed, defineProvider, defineResource, s, toProvider } from '../index.js';

/** The real objects, and the calls that made them. */
interface Yard {
  readonly crates: Map<string, { readonly label: string; readonly token: string | undefined }>;
  readonly events: string[];
}

function yardProvider(yard: Yard): Provider {
  const crate = defineResource({
    inputs: { label: s.string() },
    outputs: { label: s.string() },
    idempotencyToken: { maxLength: 20 },
    settleTime: 1.5,
    holdsData: true,
    maxInFlight: 2,
    exclusive: ['label'],
    compares: 'arguments',
    create: async ({ label }, { token, progressId, progress }) => {
      yard.events.push(`create ${label} ${progressId ?? 'anew'}`);
      const id = progressId ?? `crate-${yard.crates.size + 1}`;
      if (progressId === undefined) await progress?.(id);
      yard.events.push('went on');
      if (label === 'half') throw new InitFailed(id, { label }, ['no lid']);
      yard.crates.set(id, { label, token });
      return { id, outputs: { label } };
    },
    lookup: async ({ label }, { token }) =>
      [...yard.crates].flatMap(([id, found]) => (found.label === label && found.token === token ? [id] : [])),
  });
  const plain = defineResource({ inputs: {}, outputs: {}, create: async () => ({ id: 'x', outputs: {} }) });
  const resources = { 'index:Crate': crate, 'index:Plain': plain };
  return toProvider(defineProvider({ name: 'yard', version: '1.0.0', maxInFlight: 5, resources }));
}

interface Host {
  readonly provider: Provider;
  end(): Promise<void>;
}

const inProcess = async (provider: Provider): Promise<Host> => ({ provider, end: () => Promise.resolve() });

async function overWire(provider: Provider, extras = true): Promise<Host> {
  const services = [providerService(provider), ...(extras ? [providerExtrasService(provider)] : [])];
  const server = await startServer({ services, stream: true });
  const caller = new StreamCaller(server.address);
  const client = new ProviderClient(caller);
  await client.handshake({ engineAddress: '' });
  return {
    provider: client,
    end: async () => {
      caller.close();
      await server.close();
    },
  };
}

const type = 'yard:index:Crate';
const urn = makeUrn({ project: 'p', stack: 's', parent: undefined, type, name: 'c' });
const inputs = propertyMap({ label: 'big' });
const request: CreateRequest = { urn, name: 'c', type, inputs, timeoutSeconds: 0, preview: false };

describe.each([
  ['in process', inProcess],
  ['over the wire', overWire],
])('what a provider promises, %s', (_, host) => {
  let yard: Yard;
  let at: Host;
  beforeEach(async () => {
    yard = { crates: new Map(), events: [] };
    at = await host(yardProvider(yard));
  });
  afterEach(() => at.end());

  test('is told by type', async () => {
    const extras = await at.provider.extras?.();
    expect(extras?.maxInFlight).toBe(5);
    expect(extras?.types[type]).toEqual({
      idempotencyToken: { maxLength: 20 },
      lookup: true,
      settleSeconds: 1.5,
      holdsData: true,
      maxInFlight: 2,
      exclusive: ['label'],
      reads: 'record',
      repeatable: ['delete'],
      compares: 'arguments',
    });
    expect(extras?.types['yard:index:Plain']).toMatchObject({ lookup: false });
    expect(extras?.types['yard:index:Plain']?.idempotencyToken).toBeUndefined();
    expect(extras?.types['yard:index:Plain']?.compares).toBeUndefined();
  });

  test('that its answers follow from their arguments may be told for all types', async () => {
    const type = defineResource({ inputs: {}, outputs: {}, create: async () => ({ id: 'x', outputs: {} }) });
    const definition = { name: 'yard', version: '1.0.0', resources: { 'index:Plain': type } };
    const told = await toProvider(defineProvider({ ...definition, compares: 'arguments' })).extras?.();
    expect(told?.types['yard:index:Plain']?.compares).toBe('arguments');
  });

  test('a create goes on only when what it is called has been stored', async () => {
    const { provider } = at;
    let store: () => void = () => undefined;
    const told = new Promise<string>((resolve) => {
      const onProgressId = (id: string) =>
        new Promise<void>((stored) => {
          store = stored;
          resolve(id);
        });
      void provider.create({ ...request, token: 'abc', onProgressId }).then(({ id }) => yard.events.push(id));
    });
    expect(await told).toBe('crate-1');
    expect(yard.events).toEqual(['create big anew']);
    store();
    const again = await provider.create({ ...request, token: 'abc', progressId: 'crate-1' });
    expect(again).toMatchObject({ id: 'crate-1', outputs: inputs });
    expect(yard.events).toContain('create big crate-1');
    expect(yard.crates.size).toBe(1);
    expect(yard.crates.get('crate-1')?.token).toBe('abc');
  });

  test('an object that is not ready fails as ever', async () => {
    const half = propertyMap({ label: 'half' });
    const create = at.provider.create({
      ...request,
      inputs: half,
      token: 'abc',
      onProgressId: async () => {},
    });
    await expect(create).rejects.toMatchObject({ id: 'crate-1', reasons: ['no lid'], outputs: half });
  });

  test('objects are looked for by inputs and token', async () => {
    const { provider } = at;
    await provider.create({ ...request, token: 'abc' });
    const look = (token: string) => provider.lookup?.({ urn, name: 'c', type, inputs, token });
    expect(await look('abc')).toEqual({ found: [{ id: 'crate-1' }] });
    expect(await look('other')).toEqual({ found: [] });
    const plain = { urn, name: 'x', type: 'yard:index:Plain', inputs, token: '' };
    await expect(provider.lookup?.(plain)).rejects.toMatchObject({ code: 'UNIMPLEMENTED' });
  });
});

test('a provider of the common protocol promises nothing', async () => {
  const at = await overWire(yardProvider({ crates: new Map(), events: [] }), false);
  expect(await at.provider.extras?.()).toBeUndefined();
  await at.end();
});
