import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { base64Crypter } from '@cairn/crypters';
import type { Backend, BucketBackend, OperationLog, StackLease } from '../src/index.js';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { HastyTimer } from './pausing-store.js';
import { holding, managers, planted, sealedStack, sealing } from './sealed-world.js';
import { closePlaces, placesUpTo } from './server-places.js';
import { DEV, SECRETS, START, failureOf, keysOf, lease, urnOf, urnsOf } from './world.js';

/**
 * Sealed states in real places: in a directory, and in buckets behind the vendors' protocols, with a client for each
 * process.
 */
interface Ground {
  readonly open: () => Promise<BlobStore>;
  readonly end: () => Promise<void>;
}

async function directory(): Promise<Ground> {
  const root = await mkdtemp(path.join(tmpdir(), 'cairn-sealed-'));
  return {
    open: () => openBlobStore(`file://${root}`),
    end: () => rm(root, { recursive: true, force: true }),
  };
}

const grounds: readonly (readonly [string, () => Promise<Ground>])[] = [
  ['a directory', directory],
  ...placesUpTo(1).map(([name, start]) => {
    const ground = async (): Promise<Ground> => {
      const { open, server } = await start();
      return { open, end: () => server.close() };
    };
    return [name, ground] as const;
  }),
];

/** Texts that no one without a key may read. */
const IN_THE_CLEAR = ['urn:pulumi', 'planted-clear-text', START.message];

afterAll(closePlaces);

describe.each(grounds)('a sealed state in %s', (_name, start) => {
  let ground: Ground;
  const stores: BlobStore[] = [];
  const client = async (): Promise<BlobStore> => {
    const store = await ground.open();
    stores.push(store);
    return store;
  };
  /** Returns the backend of a process with a client of its own, without a setting for sealing states. */
  const at = async (pid: number, dead = new Set<number>(), hostname = 'build-1'): Promise<BucketBackend> =>
    sealing(await client(), 'quiet', { pid, dead, hostname }, undefined, { timer: new HastyTimer() });

  beforeEach(async () => {
    ground = await start();
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await ground.end();
  });

  async function expectSealed(store: BlobStore): Promise<void> {
    for (const text of IN_THE_CLEAR) expect([text, await holding(store, text)]).toEqual([text, []]);
  }

  test('is worked on, renamed, given another secrets manager, and laid open again', async () => {
    const { store } = await sealedStack(await client());
    const next = await at(11);
    await operate(next, new ChangeRecorder().creates(part('b')).records, 'failed');
    await expectSealed(store);
    expect(await urnsOf(next)).toEqual(expect.arrayContaining([planted.urn, urnOf('b')]));
    expect((await next.history(DEV)).map(({ result }) => result)).toEqual(['failed', 'succeeded']);
    expect((await next.change(DEV, 2)).records.length).toBeGreaterThan(1);

    const to = { ...DEV, stack: 'next' };
    await operate(next, [], 'succeeded');
    await next.rename(DEV, to);
    await expectSealed(store);
    const manager = { type: 'b64', state: '{"salt":"v1:other"}' };
    await next.edit(to, (deployment) => ({ ...deployment, secretsProvider: manager }));
    managers.delete(SECRETS.state);
    const later = await at(12);
    expect((await later.read(to)).deployment?.resources).toHaveLength(4);
    expect(await later.history(to)).toHaveLength(3);
    const copies = (await keysOf(store, '.pulumi/stacks/shop/dev.')).filter((key) => key.endsWith('.bak'));
    expect(await holding(store, JSON.stringify(SECRETS.state).slice(1, -1))).toEqual(copies);

    const plain = await sealing(await client(), 'off', { pid: 13, dead: new Set() });
    await plain.edit(to, (deployment) => ({ ...deployment }));
    expect(await holding(store, '"cairnSealed"')).toEqual(copies);
    expect(await holding(store, START.message)).toHaveLength(12);
  });

  test('two operations that do not overlap work on it at once, and the last of them stores both', async () => {
    const { store } = await sealedStack(await client());
    const [first, second] = [await work(await at(11), 'one'), await work(await at(12), 'two')];
    const refused = await failureOf(take(await at(13), 'one'));
    expect(refused).toMatchObject({
      code: 'CAIRN-CHANGE-CONFLICT',
      summary: expect.stringContaining(urnOf('one')),
    });
    const reader = await at(14);
    expect(await urnsOf(reader)).toEqual(expect.arrayContaining([urnOf('one'), urnOf('two')]));
    for (const { held, log } of [first, second]) {
      await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
      await held.release();
    }
    await expectSealed(store);
    const stored = await lease(await at(15));
    expect(stored.notes).toEqual([]);
    expect(stored.deployment.resources).toHaveLength(5);
    await stored.release();
    expect((await reader.changes(DEV)).map(({ result }) => result)).toEqual(Array(3).fill('succeeded'));
    expect(await reader.history(DEV)).toHaveLength(3);
    for (const number of [2, 3]) expect((await reader.change(DEV, number)).records.length).toBeGreaterThan(1);
  });

  test('one of two that dies beside the other is stored with it', async () => {
    const dead = new Set<number>();
    const { store } = await sealedStack(await client());
    await work(await at(11, dead), 'one');
    const { held, log } = await work(await at(12, dead), 'two');
    dead.add(11);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await held.release();
    const next = await lease(await at(13, dead));
    expect(next.deployment.resources.map(({ urn }) => urn)).toEqual(
      expect.arrayContaining([urnOf('one'), urnOf('two'), planted.urn]),
    );
    await next.release();
    await expectSealed(store);
  });

  test('who was taken over while recording records nothing more, and what was recorded is kept', async () => {
    const { store } = await sealedStack(await client());
    const recorder = new ChangeRecorder().creates(part('b'));
    const log = await begin(await at(11, undefined, 'far'), recorder.records);
    const next = await lease(await at(12));
    expect(next.deployment.resources.map(({ urn }) => urn)).toContain(urnOf('b'));
    await next.release();
    const more = recorder.creates(part('c')).records.slice(-3);
    expect((await failureOf(log.store.append(more))).code).toBe('CAIRN-LEASE-LOST');
    expect((await failureOf(log.finish({ result: 'failed', resourceChanges: {} }))).code).toBe(
      'CAIRN-LEASE-LOST',
    );
    expect(await urnsOf(await at(13))).not.toContain(urnOf('c'));
    await expectSealed(store);
  });
});

interface Working {
  readonly held: StackLease;
  readonly log: OperationLog;
}

function take(backend: Backend, name: string): Promise<StackLease> {
  const claims: readonly Claim[] = [{ key: urnOf(name), mode: 'exclusive' }];
  return backend.lease(DEV, { openCrypter: async () => base64Crypter, claims });
}

async function work(backend: Backend, name: string): Promise<Working> {
  const held = await take(backend, name);
  const log = await held.begin({ ...START, operation: 'up' });
  await log.store.append(new ChangeRecorder().creates(part(name)).records);
  return { held, log };
}
