import { memoryBlobStore } from '@cairn/blobs';
import { base64Crypter } from '@cairn/crypters';
import { Secret, equalMaps, propertyMap } from '@cairn/values';
import { manifestMagic, readUntypedDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { backendForStore } from '../src/index.js';
import {
  DEV,
  Recorder,
  SECRETS,
  START,
  failureOf,
  keysOf,
  lease,
  newStack,
  open,
  portsOf,
  providerEntry,
  root,
  textAt,
  thing,
  urnsOf,
} from './world.js';

const CHECKPOINT = '.pulumi/stacks/shop/dev.json';
const records = (): ReturnType<Recorder['creates']> =>
  new Recorder().creates(root, providerEntry, thing('a'));

async function deployed(env = {}) {
  const { store, dead } = await newStack();
  const backend = await open(store, { pid: 10, dead }, env);
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(records());
  const report = await log.finish({ result: 'succeeded', resourceChanges: { create: 3 } });
  await held.release();
  return { store, backend, dead, report };
}

describe('layout and life of a stack [STORE-3] [STORE-12]', () => {
  test('a new stack: meta, empty checkpoint as .bak, initial state with its secrets manager', async () => {
    const { store } = await newStack();
    expect(await keysOf(store)).toEqual(['.pulumi/meta.yaml', CHECKPOINT, `${CHECKPOINT}.bak`]);
    expect(await textAt(store, '.pulumi/meta.yaml')).toBe('version: 1\n');
    expect(await textAt(store, `${CHECKPOINT}.bak`)).toBe(
      '{"version":0,"checkpoint":{"stack":"organization/shop/dev"}}',
    );
    const text = await textAt(store, CHECKPOINT);
    const { time } = JSON.parse(text).checkpoint.latest.manifest;
    expect(text).toBe(
      `{"version":3,"checkpoint":{"stack":"organization/shop/dev","latest":{"manifest":{"time":"${time}","magic":"${manifestMagic('v0.1.0')}","version":"v0.1.0"},"secrets_providers":{"type":"b64","state":${SECRETS.state}},"metadata":{}}}}`,
    );
  });

  test('an operation leaves state, .bak, history, backup and a sealed journal, and gives the lock back [STORE-7] [STORE-9]', async () => {
    const { store, backend, report } = await deployed();
    expect(report.diagnostics).toEqual([]);
    const keys = await keysOf(store);
    const stamp = /dev-(\d{19})\.history/.exec(keys.join(' '))?.[1];
    expect(keys).toEqual([
      `.pulumi/backups/shop/dev/dev.${stamp}.json`,
      `.pulumi/history/shop/dev/dev-${stamp}.checkpoint.json`,
      `.pulumi/history/shop/dev/dev-${stamp}.history.json`,
      '.pulumi/journals/shop/dev/00000001/000001.log',
      '.pulumi/journals/shop/dev/00000001/base.json.gz',
      '.pulumi/journals/shop/dev/00000001/fold.json',
      '.pulumi/journals/shop/dev/00000001/operation.json',
      '.pulumi/journals/shop/dev/00000001/sealed.json',
      '.pulumi/journals/shop/dev/00000001/through.json',
      '.pulumi/meta.yaml',
      CHECKPOINT,
      `${CHECKPOINT}.bak`,
    ]);
    const checkpoint = await textAt(store, CHECKPOINT);
    expect(await textAt(store, `.pulumi/backups/shop/dev/dev.${stamp}.json`)).toBe(checkpoint);
    expect(await textAt(store, `.pulumi/history/shop/dev/dev-${stamp}.checkpoint.json`)).toBe(checkpoint);
    expect(await urnsOf(backend)).toHaveLength(3);
  });

  test('the entries are stored in the order that the operation gives them, unless that would break the state', async () => {
    const { backend } = await deployed();
    const before = await urnsOf(backend);
    const run = async (name: string, order: readonly number[]): Promise<void> => {
      const held = await lease(backend);
      const log = await held.begin(START);
      const alone = { provider: undefined, parent: undefined };
      await log.store.append(new Recorder().creates(thing(name, alone)));
      await log.finish({ result: 'succeeded', resourceChanges: {}, order });
      await held.release();
    };
    await run('z', [1, 2, 3, 0]);
    expect(await urnsOf(backend)).toEqual([...before, thing('z').urn]);
    await run('y', [3, 2, 1, 0, 4]);
    expect(await urnsOf(backend)).toEqual([thing('y').urn, ...before, thing('z').urn]);
  });

  test('history entries have the keys of the format in order, and are read newest first in pages [STORE-9]', async () => {
    const { store, backend } = await deployed();
    const key = (await keysOf(store, '.pulumi/history/')).find((name) => name.includes('.history.')) ?? '';
    const [entry] = await backend.history(DEV);
    expect(await textAt(store, key)).toBe(
      `{"kind":"update","startTime":${entry?.startTime},"message":"first <try>","environment":{"exec.kind":"cli"},"config":{"shop:key":{"secure":"v1:abc"},"shop:size":"3"},"version":0,"result":"succeeded","endTime":${entry?.endTime},"resourceChanges":{"create":3}}`,
    );
    for (const message of ['second', 'third']) {
      const held = await lease(backend);
      await (await held.begin({ ...START, message })).finish({ result: 'failed', resourceChanges: {} });
      await held.release();
    }
    const messages = async (page: object) => (await backend.history(DEV, page)).map((row) => row.message);
    expect(await messages({})).toEqual(['third', 'second', 'first <try>']);
    expect(await messages({ size: 2, page: 1 })).toEqual(['third', 'second']);
    expect(await messages({ size: 2, page: 2 })).toEqual(['first <try>']);
    expect(await messages({ size: 2, page: 3 })).toEqual([]);
    expect((await backend.history(DEV))[0]).toMatchObject({ result: 'failed', resourceChanges: undefined });
  });

  test('creating a stack twice, reading a missing one', async () => {
    const { backend } = await newStack();
    expect((await failureOf(backend.create(DEV, SECRETS))).code).toBe('CAIRN-STACK-EXISTS');
    expect((await failureOf(backend.read({ ...DEV, stack: 'prod' }))).code).toBe('CAIRN-STACK-NOT-FOUND');
    expect((await failureOf(backend.remove({ ...DEV, stack: 'prod' }))).code).toBe('CAIRN-STACK-NOT-FOUND');
    expect(
      (await failureOf(backend.lease({ ...DEV, stack: 'prod' }, { openCrypter: async () => base64Crypter })))
        .code,
    ).toBe('CAIRN-STACK-NOT-FOUND');
    expect(await backend.exists(DEV)).toBe(true);
    expect(await backend.bucket.locks(DEV)).toEqual([]);
  });

  test('listing takes what is a stack and nothing else', async () => {
    const { store, backend } = await deployed();
    for (const name of [
      'shop/prod.json.gz',
      'shop/dev.json.gz',
      'other/x.yaml',
      'shop/a/b.json',
      'shop/dev.pulumi-tags',
      'bad name/x.json',
      'shop/dev.json.123',
    ]) {
      await store.put(`.pulumi/stacks/${name}`, Buffer.from('{}'));
    }
    expect(await backend.list()).toEqual([
      { project: 'other', stack: 'x' },
      DEV,
      { project: 'shop', stack: 'prod' },
    ]);
    expect(await backend.list('shop')).toEqual([DEV, { project: 'shop', stack: 'prod' }]);
  });

  test('a summary counts every entry and has the time of the last write', async () => {
    const { backend } = await deployed();
    expect(await backend.summary(DEV)).toMatchObject({
      stack: 'dev',
      resources: 3,
      lastUpdate: expect.stringMatching(/^20/),
    });
  });

  test('export is the indented document that import reads', async () => {
    const { store, backend } = await deployed();
    const text = await backend.exportText(DEV);
    expect(text).toMatch(/^\{\n {4}"version": 3,\n {4}"deployment": \{\n {8}"manifest"/);
    expect(text.endsWith('}\n')).toBe(true);
    const { deployment } = readUntypedDeployment(text, 'export');
    await backend.replace(DEV, deployment!);
    expect(await backend.exportText(DEV)).toBe(text);
    expect((await keysOf(store, '.pulumi/history/')).length).toBe(2);
  });
});

describe('an edit', () => {
  const names = (all: SerializedDeployment) => all.resources.map(({ urn }) => urn);

  test('changes what is stored in one piece, under the lock', async () => {
    const { store, backend } = await deployed();
    let seen: readonly string[] = [];
    const before = (await backend.read(DEV)).deployment!;
    await backend.edit(DEV, (deployment) => {
      seen = names(deployment);
      return { ...deployment, resources: deployment.resources.slice(0, -1) };
    });
    expect(seen).toEqual(names(before));
    expect(names((await backend.read(DEV)).deployment!)).toEqual(seen.slice(0, -1));
    expect((await keysOf(store, '.pulumi/history/')).length).toBe(2);
    expect(await backend.bucket.locks(DEV)).toEqual([]);
  });

  test('is stored escaped for HTML, as other tools store it; the next operation writes the same plainly', async () => {
    const { store, backend } = await deployed();
    const label = 'a <b> & c';
    await backend.edit(DEV, (deployment) => ({
      ...deployment,
      resources: deployment.resources.map((resource) => ({ ...resource, outputs: { label } })),
    }));
    const edited = await textAt(store, CHECKPOINT);
    expect(edited).toContain('"outputs":{"label":"a \\u003cb\\u003e \\u0026 c"}');
    const held = await lease(backend);
    const log = await held.begin(START);
    await log.store.append(new Recorder().creates(thing('z')));
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await held.release();
    expect(await textAt(store, CHECKPOINT)).toContain(`"outputs":{"label":"${label}"}`);
  });

  test('that throws or has nothing to do writes nothing and gives the lock back', async () => {
    const { store, backend } = await deployed();
    const all = async () =>
      Promise.all((await keysOf(store)).map(async (key) => [key, await textAt(store, key)]));
    const before = await all();
    await backend.edit(DEV, () => undefined);
    const refused = backend.edit(DEV, () => {
      throw new Error('no such resource');
    });
    await expect(refused).rejects.toThrow('no such resource');
    expect(await all()).toEqual(before);
  });

  test('waits for nobody: a stack that is worked on is refused', async () => {
    const { backend } = await deployed();
    const held = await lease(backend);
    await expect(backend.edit(DEV, (deployment) => deployment)).rejects.toMatchObject({
      diagnostics: [{ code: 'CAIRN-STATE-LOCKED' }],
    });
    await held.release();
  });
});

test('a secret of a resource is in no file in the clear, and comes back decoded', async () => {
  const { store, backend } = await newStack();
  const held = await lease(backend);
  const log = await held.begin(START);
  const inputs = propertyMap({
    password: new Secret('hunter2'),
    list: [new Secret(propertyMap({ pin: 'hunter2' }))],
  });
  await log.store.append(
    new Recorder().creates(root, providerEntry, thing('a', { inputs, outputs: inputs })),
  );
  await log.store.append([new Recorder().begin(9, thing('b', { inputs }))]);
  await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
  await held.release();
  for (const key of await keysOf(store))
    expect([key, await textAt(store, key)]).toEqual([key, expect.not.stringContaining('hunter2')]);
  const again = await lease(backend);
  expect(equalMaps(again.snapshot.resources.at(-1)!.inputs, inputs)).toBe(true);
  await again.release();
});

describe('removing [STORE-12]', () => {
  test('is refused while resources remain', async () => {
    const { backend } = await deployed();
    expect(await failureOf(backend.remove(DEV))).toMatchObject({
      code: 'CAIRN-STACK-NOT-EMPTY',
      summary: expect.stringContaining('2 resources'),
    });
    expect(await backend.exists(DEV)).toBe(true);
    expect(await backend.bucket.locks(DEV)).toEqual([]);
  });

  test('forced: keeps .bak and backups; journals, history and tags go', async () => {
    const { store, backend } = await deployed();
    await store.put('.pulumi/stacks/shop/dev.pulumi-tags', Buffer.from('{"version":1,"tags":{"a":"b"}}'));
    await backend.remove(DEV, { force: true });
    const keys = await keysOf(store);
    expect(keys.filter((key) => !key.startsWith('.pulumi/backups/'))).toEqual([
      '.pulumi/meta.yaml',
      `${CHECKPOINT}.bak`,
    ]);
    expect(keys.some((key) => key.startsWith('.pulumi/backups/'))).toBe(true);
  });

  test('with backups: nothing of it is left', async () => {
    const { store, backend } = await deployed();
    await backend.remove(DEV, { force: true, backups: true });
    expect(await keysOf(store)).toEqual(['.pulumi/meta.yaml']);
  });

  test('what cannot be removed of its history is no failure: the stack is gone', async () => {
    const { store, dead } = await deployed();
    const stubborn = {
      ...store,
      delete: (...given: Parameters<typeof store.delete>) =>
        given[0].includes('/history/') ? Promise.reject(new Error('no')) : store.delete(...given),
    };
    const backend = await open(stubborn, { pid: 12, dead });
    await backend.remove(DEV, { force: true });
    expect(await backend.exists(DEV)).toBe(false);
    expect(await backend.bucket.locks(DEV)).toEqual([]);
  });

  test('forced, with a checkpoint that cannot be read', async () => {
    const { store, backend } = await newStack();
    await store.put(CHECKPOINT, Buffer.from('{"version":3,'));
    expect((await failureOf(backend.remove(DEV))).code).toBe('CAIRN-STATE-CORRUPT');
    await backend.remove(DEV, { force: true });
    expect(await backend.exists(DEV)).toBe(false);
  });

  test('an empty stack needs no force', async () => {
    const { backend } = await newStack();
    await backend.remove(DEV);
    expect(await backend.list()).toEqual([]);
  });
});

describe('settings [STORE-8]', () => {
  test('gzip: the checkpoint moves to .json.gz and back, and is read by content', async () => {
    const { store, dead, backend } = await deployed({ PULUMI_DIY_BACKEND_GZIP: 'TRUE' });
    const keys = await keysOf(store, '.pulumi/stacks/');
    expect(keys).toEqual([`${CHECKPOINT}.bak`, `${CHECKPOINT}.gz`]);
    expect((await store.get(`${CHECKPOINT}.gz`))?.bytes.subarray(0, 2)).toEqual(Uint8Array.of(0x1f, 0x8b));
    expect(await urnsOf(backend)).toHaveLength(3);
    expect(await backend.history(DEV)).toHaveLength(1);
    const plain = await open(store, { pid: 11, dead });
    await plain.replace(DEV, (await plain.read(DEV)).deployment!);
    expect(await keysOf(store, '.pulumi/stacks/')).toEqual([
      CHECKPOINT,
      `${CHECKPOINT}.bak`,
      `${CHECKPOINT}.gz.bak`,
    ]);
    await store.put(CHECKPOINT, (await store.get(`${CHECKPOINT}.gz.bak`))!.bytes);
    expect(await urnsOf(plain)).toHaveLength(3);
  });

  test.each([
    [{ PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: '1' }, '.pulumi/backups/', 0],
    [{ PULUMI_DISABLE_CHECKPOINT_BACKUPS: 'true' }, '.pulumi/backups/', 0],
    [{ PULUMI_DISABLE_CHECKPOINT_BACKUPS: 'yes' }, '.pulumi/backups/', 1],
    [
      {
        CAIRN_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: '0',
        PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: '1',
      },
      '.pulumi/backups/',
      1,
    ],
    [{ PULUMI_RETAIN_CHECKPOINTS: '1' }, '.pulumi/stacks/', 3],
    [{}, '.pulumi/stacks/', 2],
  ])('%j leaves as many keys under %s as %d', async (env, prefix, count) => {
    const { store } = await deployed(env);
    expect(await keysOf(store, prefix)).toHaveLength(count);
  });

  test('a retained checkpoint for each that was written, also of one instant', async () => {
    const store = memoryBlobStore();
    const ports = portsOf({ pid: 10, dead: new Set() }, { PULUMI_DIY_BACKEND_RETAIN_CHECKPOINTS: 'true' });
    const backend = await backendForStore(store, { ...ports, now: () => new Date(Date.UTC(2030, 0, 1)) });
    await backend.create(DEV, SECRETS);
    expect(await keysOf(store, `${CHECKPOINT}.1`)).toEqual([
      `${CHECKPOINT}.1893456000000000000`,
      `${CHECKPOINT}.1893456000000000001`,
    ]);
    expect(await textAt(store, `${CHECKPOINT}.1893456000000000001`)).toBe(await textAt(store, CHECKPOINT));
  });

  test.each([
    [{ PULUMI_DIY_BACKEND_GZIP: '1', PULUMI_DIY_BACKEND_ZSTD: '1' }, 'both gzip and zstd'],
    [{ CAIRN_JOURNAL_RETENTION: 'many' }, 'CAIRN_JOURNAL_RETENTION'],
    [{ CAIRN_JOURNAL_RETENTION: '-1' }, 'CAIRN_JOURNAL_RETENTION'],
  ])('%j is refused', async (env, text) => {
    const failure = await failureOf(open(memoryBlobStore(), { pid: 10, dead: new Set() }, env));
    expect(failure).toMatchObject({ code: 'CAIRN-USAGE', summary: expect.stringContaining(text) });
  });

  test.each([
    ['2', ['00000003', '00000004']],
    ['0', ['00000004']],
    [undefined, ['00000001', '00000002', '00000003', '00000004']],
  ])('CAIRN_JOURNAL_RETENTION=%s keeps the newest journals and numbers go on', async (retention, kept) => {
    const { store, dead } = await newStack();
    const backend = await open(store, { pid: 10, dead }, { CAIRN_JOURNAL_RETENTION: retention });
    for (let round = 0; round < 4; round++) {
      const held = await lease(backend);
      await (await held.begin(START)).finish({ result: 'succeeded', resourceChanges: {} });
      await held.release();
    }
    const directories = new Set((await keysOf(store, '.pulumi/journals/')).map((key) => key.split('/')[4]));
    expect([...directories]).toEqual(kept);
  });
});

describe('meta.yaml', () => {
  test.each([
    ['version: 1\n', undefined],
    ['# ours\nversion: 1 # one\n', undefined],
    ['---\r\nversion: 1\r\n', undefined],
    ['{"version": 1}\n', undefined],
    ["{ 'version': 1 } # one", undefined],
    ['{version: 3, more: 1}', 'CAIRN-STATE-TOO-NEW'],
    ['{}', 'CAIRN-STATE-CORRUPT'],
    ['notversion: 1\n', 'CAIRN-STATE-CORRUPT'],
    ['version: 2\n', 'CAIRN-STATE-TOO-NEW'],
    ['version: 0\n', 'CAIRN-STATE-TOO-OLD'],
    ['', 'CAIRN-STATE-CORRUPT'],
    ['version:\n', 'CAIRN-STATE-CORRUPT'],
    ['version: one\n', 'CAIRN-STATE-CORRUPT'],
    ['version: "1"\n', 'CAIRN-STATE-CORRUPT'],
    ['version: 1.5\n', 'CAIRN-STATE-CORRUPT'],
    ['more:\n  version: 1\n', 'CAIRN-STATE-CORRUPT'],
    ['version: [\n', 'CAIRN-STATE-CORRUPT'],
    ['- 1\n', 'CAIRN-STATE-CORRUPT'],
  ])('%j', async (text, code) => {
    const store = memoryBlobStore();
    await store.put('.pulumi/meta.yaml', Buffer.from(text));
    const opened = open(store, { pid: 10, dead: new Set() });
    if (code === undefined) await expect(opened).resolves.toBeDefined();
    else expect((await failureOf(opened)).code).toBe(code);
  });

  test('a store with stacks of the old layout and no meta is refused and not marked as new', async () => {
    const store = memoryBlobStore();
    await store.put('.pulumi/stacks/dev.json', Buffer.from('{}'));
    expect((await failureOf(open(store, { pid: 10, dead: new Set() }))).code).toBe('CAIRN-STATE-TOO-OLD');
    expect(await keysOf(store)).toEqual(['.pulumi/stacks/dev.json']);
  });

  test('old stacks beside new ones are told, unless that is not wanted', async () => {
    const { store, dead } = await newStack();
    await store.put('.pulumi/stacks/old.json', Buffer.from('{}'));
    expect(
      (await (await open(store, { pid: 10, dead })).bucket.notes()).map((note) => note.severity),
    ).toEqual(['warning']);
    expect(
      await (
        await open(store, { pid: 10, dead }, { PULUMI_DIY_BACKEND_NO_LEGACY_WARNING: '1' })
      ).bucket.notes(),
    ).toEqual([]);
  });

  test('opening a store writes nothing', async () => {
    const store = memoryBlobStore();
    await (await open(store, { pid: 10, dead: new Set() })).list();
    expect(await keysOf(store)).toEqual([]);
  });
});
