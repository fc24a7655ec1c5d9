import {
  chmod,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { protocols } from '@cairn/tfplugin';
import { StatusError } from '@cairn/wire';
import type { Caller } from '@cairn/wire/caller';
import { providerCalls } from '../client/calls.js';
import type { FoundProvider } from '../discovery/find-provider.js';
import { keptSchema, loadSchema, schemaCacheFor } from './index.js';

const ELF = '\x7fELF';
let box: string;

beforeEach(async () => {
  box = await realpath(await mkdtemp(path.join(tmpdir(), 'schemas-')));
});

afterEach(() => rm(box, { recursive: true, force: true }));

async function executable(text = `${ELF} 1`): Promise<FoundProvider> {
  const file = path.join(box, 'terraform-provider-thing');
  await writeFile(file, text);
  await chmod(file, 0o755);
  return {
    ...{ name: 'acme/thing', type: 'thing', source: 'acme/thing', version: '1.0.0' },
    how: 'mirror',
    executable: file,
  };
}

const cacheFor = async (found: FoundProvider) =>
  schemaCacheFor(found, { CAIRN_HOME: path.join(box, 'home') });
const stored = async () => {
  const root = path.join(box, 'home/terraform/schemas');
  const files = await readdir(root, { recursive: true }).catch((): string[] => []);
  return files.filter((name) => name.endsWith('.schema')).map((name) => path.join(root, name));
};

interface Answers {
  readonly attribute?: string;
  readonly optional?: boolean;
  readonly protocol?: 5 | 6;
  readonly identities?: boolean;
}

const named = (parts: object) => new Map(Object.entries(parts));

/** Returns calls of a provider with two resource types, which counts its calls by their names. */
function provider({ attribute = 'name', optional = false, protocol = 6, identities = false }: Answers) {
  const counts: Record<string, number> = {};
  const { methods, fullName } = protocols[protocol].service;
  const schema = (version: number) => ({
    version,
    block: { attributes: [{ name: attribute, type: Buffer.from('"string"'), optional: true }] },
  });
  const { responseType } = methods.getProviderSchema;
  const answer = {
    provider: schema(0),
    resourceSchemas: named({ thing_b: schema(2), thing_a: schema(1) }),
    dataSourceSchemas: named({ thing_c: schema(0) }),
    serverCapabilities: { getProviderSchemaOptional: optional, planDestroy: true },
  };
  const identity = { identitySchemas: named({ thing_a: { version: 3, identityAttributes: [] } }) };
  const made = (type: object, value: object) =>
    (type as { encode(m: unknown): { finish(): Uint8Array }; fromPartial(m: object): unknown })
      .encode((type as { fromPartial(m: object): unknown }).fromPartial(value))
      .finish();
  const caller: Caller = {
    unary: async (method) => {
      const name = method.slice(method.lastIndexOf('/') + 1);
      counts[name] = (counts[name] ?? 0) + 1;
      if (method === `/${fullName}/${methods.getProviderSchema.name}`) return made(responseType, answer);
      if (identities) return made(methods.getResourceIdentitySchemas.responseType, identity);
      throw new StatusError('UNIMPLEMENTED', 'no');
    },
    async *serverStream() {},
    close: () => {},
  };
  return { calls: providerCalls('acme/thing', protocol, caller), counts };
}

const attributesOf = (loaded: Awaited<ReturnType<typeof loadSchema>>, type = 'thing_a') => [
  ...(loaded.resources.get(type)?.block.attributes.keys() ?? []),
];

describe.each([5, 6] as const)('protocol %i', (protocol) => {
  test('the schema from the cache is the one that was answered [TFP-11]', async () => {
    const cache = await cacheFor(await executable());
    const asked = await loadSchema(provider({ protocol, identities: true }).calls, cache);
    const kept = await keptSchema('acme/thing', cache as NonNullable<typeof cache>);
    for (const schema of [asked, kept]) {
      expect(schema?.resources.names).toEqual(['thing_a', 'thing_b']);
      expect(schema?.resources.get('thing_b')).toEqual(asked.resources.get('thing_b'));
      expect(schema?.resources.get('thing_b')?.version).toBe(2);
      expect(schema?.resources.get('thing_z')).toBeUndefined();
      expect(schema?.dataSources.names).toEqual(['thing_c']);
      expect(schema?.provider.block.attributes.size).toBe(1);
      expect(schema?.capabilities.planDestroy).toBe(true);
      expect(schema?.identities.get('thing_a')?.version).toBe(3);
      expect(schema?.functions.names).toEqual([]);
    }
  });

  test('who can do without being asked is asked once, anybody else once per process [TFP-11]', async () => {
    const cache = await cacheFor(await executable());
    const name = protocol === 5 ? 'GetSchema' : 'GetProviderSchema';
    await loadSchema(provider({ protocol }).calls, cache);
    const again = provider({ protocol });
    expect(attributesOf(await loadSchema(again.calls, cache))).toEqual(['name']);
    expect(again.counts).toEqual({ [name]: 1 });

    const other = await cacheFor(await executable(`${ELF} 2`));
    await loadSchema(provider({ protocol, optional: true }).calls, other);
    const optional = provider({ protocol, optional: true });
    expect(attributesOf(await loadSchema(optional.calls, other))).toEqual(['name']);
    expect(optional.counts).toEqual({});
  });
});

test('what a provider answers holds, whatever is kept of it', async () => {
  const cache = await cacheFor(await executable());
  await loadSchema(provider({ attribute: 'one' }).calls, cache);
  expect(attributesOf(await loadSchema(provider({ attribute: 'two' }).calls, cache))).toEqual(['two']);
  expect(attributesOf(await loadSchema(provider({ attribute: 'longer' }).calls, cache))).toEqual(['longer']);
  expect(
    (await keptSchema('acme/thing', cache as NonNullable<typeof cache>))?.resources.get('thing_a'),
  ).toMatchObject({
    block: { attributes: new Map([['longer', expect.anything()]]) },
  });
});

test('an executable that was built again is asked again, with the same size and date too', async () => {
  const first = await executable(`${ELF} 1`);
  const { executable: file } = first;
  if (file === undefined) throw new Error('no file');
  const { atime, mtime } = await stat(file);
  await loadSchema(provider({ optional: true, attribute: 'old' }).calls, await cacheFor(first));

  for (const rebuild of [
    async () => writeFile(file, `${ELF} 2`),
    async () => {
      await writeFile(`${file}.new`, `${ELF} 3`);
      await chmod(`${file}.new`, 0o755);
      await rename(`${file}.new`, file);
    },
  ]) {
    // Times of files have a resolution of some milliseconds.
    await sleep(20);
    await rebuild();
    await utimes(file, atime, mtime);
    const fresh = provider({ optional: true, attribute: 'new' });
    expect(attributesOf(await loadSchema(fresh.calls, await cacheFor(first)))).toEqual(['new']);
    expect(fresh.counts['GetProviderSchema']).toBe(1);
  }
});

test('scripts and providers that run already are asked each time', async () => {
  const script = await executable('#!/usr/bin/env node\n');
  expect(await cacheFor(script)).toBeUndefined();
  const { executable: _, ...rest } = script;
  const attached = { protocolVersion: 6, network: 'unix', address: '/x', pid: 1, test: true } as const;
  expect(await cacheFor({ ...rest, attached } as FoundProvider)).toBeUndefined();
  const asked = provider({ optional: true });
  await loadSchema(asked.calls, undefined);
  await loadSchema(asked.calls, undefined);
  expect(asked.counts['GetProviderSchema']).toBe(2);
  expect(await stored()).toEqual([]);
});

test('a damaged or cut file is not there, and is written again', async () => {
  const cache = await cacheFor(await executable());
  await loadSchema(provider({ optional: true }).calls, cache);
  const [file] = await stored();
  if (file === undefined) throw new Error('nothing is kept');
  const whole = await readFile(file);
  const turned = Buffer.from(whole);
  turned[whole.length - 3] = (turned[whole.length - 3] ?? 0) ^ 1;
  for (const damaged of [
    turned,
    whole.subarray(0, -1),
    whole.subarray(0, 5),
    Buffer.from('{}\n'),
    Buffer.alloc(0),
  ]) {
    await writeFile(file, damaged);
    const asked = provider({ optional: true });
    expect(attributesOf(await loadSchema(asked.calls, cache))).toEqual(['name']);
    expect(asked.counts['GetProviderSchema']).toBe(1);
    expect(await readFile(file)).toEqual(whole);
  }
});

test('of one provider the eight that were kept last stay', async () => {
  for (let at = 0; at < 10; at++)
    await loadSchema(
      provider({}).calls,
      await cacheFor(await executable(`${ELF} build ${at} ${'x'.repeat(at)}`)),
    );
  expect(await stored()).toHaveLength(8);
});

test('a cache that cannot be written is no reason to fail', async () => {
  const cache = await cacheFor(await executable());
  await writeFile(path.join(box, 'home'), 'a file where a directory should be');
  expect(attributesOf(await loadSchema(provider({}).calls, cache))).toEqual(['name']);
});
