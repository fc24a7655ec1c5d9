import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { gzipSync } from 'node:zlib';
import { upgradeOver } from '../src/bucket/open-bucket.js';
import { ChangeRecorder, begin, part } from './operations.js';
import { START, failureOf, keysOf, lease, open, portsOf, rootUrn } from './world.js';

const ALLOWED = { PULUMI_DIY_BACKEND_IGNORE_DEPRECATION_ERROR: 'true' };
const process_ = { pid: 10, dead: new Set<number>() };
const MANIFEST = { time: '2026-01-02T03:04:05Z', magic: '', version: '' };

/** Returns a checkpoint as the other tool writes it in the layout before projects. */
function checkpoint(urns: readonly string[], stack = 'dev'): Buffer {
  const resources = urns.map((urn) => ({ urn, custom: false, type: 'pulumi:pulumi:Stack' }));
  return Buffer.from(
    JSON.stringify({
      version: 3,
      checkpoint: { stack, latest: { manifest: MANIFEST, resources, metadata: {} } },
    }),
  );
}

async function legacyStore(): Promise<BlobStore> {
  const store = memoryBlobStore();
  await store.put('.pulumi/stacks/dev.json', checkpoint([rootUrn]));
  return store;
}

const never = { projectOf: async () => undefined };

describe('a store of the layout before projects [STORE-4]', () => {
  test('is refused, and the error names the command that upgrades it', async () => {
    const failure = await failureOf(open(await legacyStore(), process_));
    expect(failure).toMatchObject({ code: 'CAIRN-STATE-TOO-OLD' });
    expect(failure.hint).toContain('cairn state upgrade');
  });

  test('is worked on where the variable allows it, and keeps its layout', async () => {
    const store = await legacyStore();
    const backend = await open(store, process_, ALLOWED);
    expect(backend.bucket.layout).toBe('legacy');
    expect(await backend.list('shop')).toEqual([{ project: '', stack: 'dev' }]);
    const log = await begin(backend, new ChangeRecorder().creates(part('a')).records);
    await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
    await backend.create({ project: 'shop', stack: 'prod' }, undefined);
    const keys = await keysOf(store);
    expect(keys).toContain('.pulumi/stacks/prod.json');
    expect(keys).toContain('.pulumi/journals/dev/00000001/sealed.json');
    expect(
      keys.filter((key) => /^\.pulumi\/history\/dev\/dev-\d+\.(history|checkpoint)\.json$/.test(key)),
    ).toHaveLength(2);
    expect(keys.filter((key) => /^\.pulumi\/backups\/dev\/dev\.\d+\.json$/.test(key))).toHaveLength(1);
    expect(keys).not.toContain('.pulumi/meta.yaml');
    expect(keys.filter((key) => key.includes('shop'))).toEqual([]);
    expect(await backend.history({ project: 'shop', stack: 'dev' })).toHaveLength(1);
  });

  test('has history of its own beside that of a project with the name of the stack, and is removed without it', async () => {
    const store = await legacyStore();
    const entry = Buffer.from(JSON.stringify({ kind: 'update', startTime: 1, message: 'mine' }));
    const kept = ['history/dev/prod/prod-1.history.json', 'backups/dev/prod/prod.1.json'];
    for (const key of ['history/dev/dev-1.history.json', ...kept]) await store.put(`.pulumi/${key}`, entry);
    const backend = await open(store, process_, ALLOWED);
    const id = { project: 'shop', stack: 'dev' };
    expect((await backend.history(id)).map(({ message }) => message)).toEqual(['mine']);
    await backend.remove(id, { force: true, backups: true });
    expect(await keysOf(store)).toEqual(kept.map((key) => `.pulumi/${key}`).sort());
  });

  test('a lock of the other tool at its place is honoured', async () => {
    const store = await legacyStore();
    const lock = { pid: 7, username: 'bob', hostname: 'far', timestamp: '2026-01-02T03:04:05Z' };
    await store.put('.pulumi/locks/dev/0a.json', Buffer.from(JSON.stringify(lock)));
    const failure = await failureOf(lease(await open(store, process_, ALLOWED)));
    expect(failure.code).toBe('CAIRN-STATE-LOCKED');
  });

  test('a new store gets it when that is asked for', async () => {
    const store = memoryBlobStore();
    const backend = await open(store, process_, { ...ALLOWED, PULUMI_DIY_BACKEND_LEGACY_LAYOUT: '1' });
    await backend.create({ project: 'shop', stack: 'dev' }, undefined);
    expect(await keysOf(store)).toEqual(['.pulumi/stacks/dev.json', '.pulumi/stacks/dev.json.bak']);
  });
});

describe('upgrading it [STORE-4]', () => {
  test('each stack goes to the project of its first resource, with all that belongs to it', async () => {
    const store = await legacyStore();
    const backend = await open(store, process_, ALLOWED);
    const held = await lease(backend);
    await (await held.begin(START)).finish({ result: 'succeeded', resourceChanges: { same: 1 } });
    await held.release();
    await store.put('.pulumi/stacks/dev.pulumi-tags', Buffer.from('{"version":1,"tags":{"a":"b"}}'));
    await store.put(
      '.pulumi/stacks/zipped.json.gz',
      gzipSync(checkpoint(['urn:pulumi:zipped::web::pulumi:pulumi:Stack::web-zipped'])),
    );
    const before = await keysOf(store);
    const done: number[] = [];
    const upgrade = await upgradeOver(store, portsOf(process_), {
      ...never,
      onStack: (count) => done.push(count),
    });
    expect(upgrade).toEqual({
      moved: [
        { project: 'shop', stack: 'dev' },
        { project: 'web', stack: 'zipped' },
      ],
      warnings: [],
    });
    expect(done).toEqual([1, 2]);
    const after = await keysOf(store);
    const moved = before
      .filter((key) => !key.endsWith('.bak'))
      .map((key) => key.replace('/dev', '/shop/dev').replace('/zipped', '/web/zipped'));
    expect(after.filter((key) => !key.endsWith('.bak') && key !== '.pulumi/meta.yaml')).toEqual(moved.sort());
    const upgraded = await open(store, process_);
    expect(await upgraded.bucket.notes()).toEqual([]);
    expect((await upgraded.read({ project: 'shop', stack: 'dev' })).deployment?.resources).toHaveLength(1);
    expect(await upgraded.changes({ project: 'shop', stack: 'dev' })).toHaveLength(1);
    expect(await upgraded.history({ project: 'shop', stack: 'dev' })).toHaveLength(1);
  });

  test('a stack without resources goes to the project that is given, or stays with a warning', async () => {
    const store = memoryBlobStore();
    for (const name of ['a', 'b']) await store.put(`.pulumi/stacks/${name}.json`, checkpoint([], name));
    const asked: string[] = [];
    const projectOf = async (stack: string) => {
      asked.push(stack);
      return stack === 'a' ? 'shop' : undefined;
    };
    const upgrade = await upgradeOver(store, portsOf(process_), { projectOf });
    expect(asked).toEqual(['a', 'b']);
    expect(upgrade.moved).toEqual([{ project: 'shop', stack: 'a' }]);
    expect(upgrade.warnings.map(({ summary }) => summary)).toEqual([
      expect.stringContaining('"b" was not moved'),
    ]);
    expect(await keysOf(store)).toContain('.pulumi/stacks/b.json');
  });

  test.each([
    ['damaged', '{', 'was not moved'],
    ['in the way', undefined, 'already has a stack of that name'],
  ])('one that is %s stays, and the others go', async (_, text, why) => {
    const store = await legacyStore();
    if (text === undefined) await store.put('.pulumi/stacks/shop/dev.json', checkpoint([]));
    else await store.put('.pulumi/stacks/dev.json', Buffer.from(text));
    await store.put(
      '.pulumi/stacks/prod.json',
      checkpoint(['urn:pulumi:prod::shop::pulumi:pulumi:Stack::shop-prod']),
    );
    const upgrade = await upgradeOver(store, portsOf(process_), never);
    expect(upgrade.moved).toEqual([{ project: 'shop', stack: 'prod' }]);
    expect(upgrade.warnings.map(({ summary }) => summary)).toEqual([expect.stringContaining(why)]);
    expect(await keysOf(store)).toContain('.pulumi/stacks/dev.json');
  });

  test('one that is locked stays', async () => {
    const store = await legacyStore();
    await store.put(
      '.pulumi/locks/dev/0a.json',
      Buffer.from('{"pid":7,"username":"bob","hostname":"far","timestamp":""}'),
    );
    const upgrade = await upgradeOver(store, portsOf(process_), never);
    expect(upgrade.moved).toEqual([]);
    expect(upgrade.warnings).toHaveLength(1);
  });

  test('cut off after any write, a second run ends with the same store', async () => {
    const whole = await legacyWithHistory();
    await upgradeOver(whole, portsOf(process_), never);
    const expected = await withoutBackups(whole);
    for (let writes = 0; ; writes++) {
      const store = await legacyWithHistory();
      const finished = await upgradeOver(breaking(store, writes), portsOf(process_), never).then(
        ({ warnings }) => warnings.length === 0,
        () => false,
      );
      await (await open(store, process_, ALLOWED)).cancel({ project: '', stack: 'dev' });
      await store.delete('.pulumi/locks/dev/left.json');
      for (const { key } of await store.list('.pulumi/locks/')) await store.delete(key);
      const again = await upgradeOver(store, portsOf(process_), never);
      expect({ writes, warnings: again.warnings }).toEqual({ writes, warnings: [] });
      expect({ writes, keys: await withoutBackups(store) }).toEqual({ writes, keys: expected });
      if (finished) return;
    }
  });
});

async function legacyWithHistory(): Promise<BlobStore> {
  const store = await legacyStore();
  await store.put('.pulumi/history/dev/dev-1.history.json', Buffer.from('{}'));
  await store.put('.pulumi/backups/dev/dev.1.json', Buffer.from('{}'));
  await store.put('.pulumi/stacks/dev.pulumi-tags', Buffer.from('{"version":1,"tags":{}}'));
  return store;
}

async function withoutBackups(store: BlobStore): Promise<readonly string[]> {
  return (await keysOf(store)).filter((key) => !key.endsWith('.bak'));
}

/** Returns the store, failing for good after so many writes. */
function breaking(store: BlobStore, writes: number): BlobStore {
  let left = writes;
  const spend = (): void => {
    if (left === 0) throw new Error('the store is gone');
    left -= 1;
  };
  return {
    url: store.url,
    get: (key) => store.get(key),
    list: (prefix) => store.list(prefix),
    put: async (key, bytes, condition) => (spend(), store.put(key, bytes, condition)),
    delete: async (key, condition) => (spend(), store.delete(key, condition)),
    copy: async (...given) => (spend(), store.copy(...given)),
    openSegment: (key, options) => store.openSegment(key, options),
    close: () => store.close(),
  };
}
