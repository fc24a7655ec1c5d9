import fc from 'fast-check';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { emptyDeployment } from '@cairn/state';
import { isSealedDocument, openDocument } from '../src/index.js';
import type { StackId } from '../src/index.js';
import { takeHeader } from '../src/bucket/sealed/sealed-format.js';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import {
  PLANTED,
  closed,
  holding,
  managers,
  open,
  planted,
  records,
  sealedStack,
  sealing,
} from './sealed-world.js';
import { DEV, SECRETS, START, failureOf, keysOf, lease, rootUrn, urnsOf } from './world.js';

const OTHER: StackId = { project: 'shop', stack: 'other' };
const NEW_MANAGER = { type: 'b64', state: '{"salt":"v1:new"}' };

describe('a stack whose state is sealed', () => {
  test('has nothing in the clear: neither states, nor history, nor journals', async () => {
    const { store, backend } = await sealedStack();
    await operate(backend, new ChangeRecorder().creates(part('b')).records, 'failed');
    const keys = await keysOf(store);
    expect(keys.filter((key) => /history|backups|journals|\.bak$/.test(key)).length).toBeGreaterThan(12);
    for (const text of [PLANTED, 'urn:pulumi', 'test:index:Thing', START.message, 'exec.kind'])
      expect(await holding(store, text)).toEqual([]);
    expect(await urnsOf(backend)).toContain(planted.urn);
    expect((await backend.history(DEV)).map((entry) => entry.message)).toEqual([
      START.message,
      START.message,
    ]);
    expect((await backend.changes(DEV)).map((row) => row.result)).toEqual(['failed', 'succeeded']);
    expect((await backend.change(DEV, 1)).records.length).toBeGreaterThan(3);
  });

  test('stays sealed where nobody says anything, and is no JSON document to others', async () => {
    const { store } = await sealedStack();
    const quiet = await sealing(store, 'quiet', { pid: 11, dead: new Set() });
    await operate(quiet, new ChangeRecorder().creates(part('b')).records, 'succeeded');
    expect(await holding(store, 'urn:pulumi')).toEqual([]);
    const { bytes } = (await store.get('.pulumi/stacks/shop/dev.json'))!;
    expect(() => JSON.parse(Buffer.from(bytes).toString('latin1')) as unknown).toThrow();
  });

  test('a stack that is not sealed stays as it is where nobody says anything', async () => {
    const store = memoryBlobStore();
    const quiet = await sealing(store, 'quiet', undefined, closed);
    await quiet.create(DEV, SECRETS);
    await operate(quiet, records(), 'succeeded');
    expect((await holding(store, PLANTED)).length).toBeGreaterThan(3);
  });

  test.each<['on' | 'off', number]>([
    ['on', 0],
    ['off', 6],
  ])('switched %s, everything that lies there is written again with the next state', async (mode, plain) => {
    const store = memoryBlobStore();
    const before = await sealing(store, mode === 'on' ? 'off' : 'on');
    await before.create(DEV, SECRETS);
    await operate(before, records(), 'succeeded');
    const after = await sealing(store, mode, { pid: 11, dead: new Set() });
    await operate(after, new ChangeRecorder().creates(part('b')).records, 'succeeded');
    const clear = await holding(store, 'urn:pulumi');
    if (plain === 0) expect(clear).toEqual([]);
    else expect(clear.length).toBeGreaterThan(plain);
    expect(await urnsOf(after)).toContain(planted.urn);
    expect(await after.history(DEV)).toHaveLength(2);
    expect((await after.change(DEV, 1)).records.length).toBeGreaterThan(3);
    const rest = (await keysOf(store)).filter((key) => /stacks|history|backups|journals/.test(key));
    const sealed = await holding(store, '"cairnSealed"');
    expect(sealed).toHaveLength(mode === 'on' ? rest.length : 0);
  });

  test('is listed without its key, and opened by nobody who lacks it; nothing is written', async () => {
    const { store } = await sealedStack();
    const stranger = await sealing(store, 'on', { pid: 12, dead: new Set() }, closed);
    expect(await stranger.list()).toEqual([DEV]);
    expect(await stranger.summary(DEV)).toMatchObject({
      ...DEV,
      resources: undefined,
      sealed: true,
      lastUpdate: expect.any(String),
    });
    const before = await contents(store);
    for (const attempt of [
      () => stranger.read(DEV),
      () => lease(stranger),
      () => stranger.edit(DEV, () => undefined),
      () => stranger.replace(DEV, emptyDeployment),
      () => stranger.history(DEV),
    ]) {
      const failure = await failureOf(attempt());
      expect(failure).toMatchObject({ code: 'CAIRN-STATE-SEALED', causes: ['incorrect passphrase'] });
    }
    expect(await contents(store)).toEqual(before);
  });

  test('changes its secrets manager with its next state, and nothing needs the old one any more', async () => {
    const { store, backend } = await sealedStack();
    await backend.edit(DEV, (deployment) => ({ ...deployment, secretsProvider: NEW_MANAGER }));
    managers.delete(SECRETS.state);
    const next = await sealing(store, 'quiet', { pid: 13, dead: new Set() });
    expect(await urnsOf(next)).toContain(planted.urn);
    expect(await next.history(DEV)).toHaveLength(1);
    expect((await next.change(DEV, 1)).records.length).toBeGreaterThan(3);
    expect(await holding(store, JSON.stringify(SECRETS.state).slice(1, -1))).toEqual([]);
  });

  test('cannot be sealed without a secrets manager', async () => {
    const backend = await sealing(memoryBlobStore());
    expect((await failureOf(backend.create(DEV, undefined))).code).toBe('CAIRN-STATE-SEALED');
  });

  test('is exported sealed, for whoever has the key', async () => {
    const { backend } = await sealedStack();
    const pieces = [
      ...(await backend.bucket.sealDocument(DEV, ['{"version":3,', `"x":"${PLANTED}"}`.padEnd(300_000)])),
    ];
    const text = Buffer.from(pieces.join(''));
    expect(isSealedDocument(text)).toBe(true);
    expect(text.includes(PLANTED)).toBe(false);
    expect(text.every((byte) => byte < 0x80)).toBe(true);
    expect(
      Buffer.from(await openDocument(text, 'f', open))
        .toString()
        .trimEnd(),
    ).toBe(`{"version":3,"x":"${PLANTED}"}`);
    expect((await failureOf(openDocument(text, 'f', closed))).code).toBe('CAIRN-STATE-SEALED');
    const cut = text.subarray(0, text.length - 100);
    expect((await failureOf(openDocument(cut, 'f', open))).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
  });
});

describe('what was altered is refused, and nothing is written over it', () => {
  const KEY = '.pulumi/stacks/shop/dev.json';

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['a byte of the content', (bytes) => flip(bytes, bytes.length - 30)],
    [
      'the salt',
      (bytes) => replaced(bytes, /"salt":"./, `"salt":"${bytes.includes('"salt":"A') ? 'B' : 'A'}`),
    ],
    ['cut at its end', (bytes) => bytes.subarray(0, bytes.length - 1)],
    ['cut to its header', (bytes) => bytes.subarray(0, bytes.indexOf(0x0a) + 1)],
    ['with more behind its end', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
    ['a header that is no header', (bytes) => replaced(bytes, /"form":"file"/, '"form":"f"')],
  ])('%s', async (_name, alter) => {
    const { store } = await sealedStack();
    const bytes = Buffer.from((await store.get(KEY))!.bytes);
    const altered = alter(bytes);
    expect(altered.equals(bytes)).toBe(false);
    await store.put(KEY, altered);
    const before = await contents(store);
    const backend = await sealing(store, 'on', { pid: 14, dead: new Set() });
    for (const attempt of [
      () => backend.read(DEV),
      () => lease(backend),
      () => backend.replace(DEV, emptyDeployment),
    ])
      expect((await failureOf(attempt())).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
    expect(await contents(store)).toEqual(before);
  });

  test('the state of another stack, and a journal in the place of another', async () => {
    const { store, backend } = await sealedStack();
    await backend.create(OTHER, SECRETS);
    await store.copy('.pulumi/stacks/shop/other.json', KEY);
    const next = await sealing(store, 'on', { pid: 15, dead: new Set() });
    expect((await failureOf(next.read(DEV))).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
    const journal = '.pulumi/journals/shop/dev/00000001/';
    await store.copy(`${journal}operation.json`, `${journal}sealed.json`);
    expect((await failureOf(next.changes(DEV))).code).toMatch(
      /CAIRN-STATE-SEALED-DAMAGED|CAIRN-JOURNAL-CORRUPT/,
    );
  });

  test('chunks that changed places', async () => {
    const store = memoryBlobStore();
    const backend = await sealing(store);
    await backend.create(DEV, SECRETS);
    const resources = Array.from({ length: 3000 }, (_, index) => ({
      urn: `${rootUrn}${index}`,
      custom: false,
      type: 't',
      outputs: { filler: 'x'.repeat(1000) },
    }));
    await backend.replace(DEV, { ...emptyDeployment, secretsProvider: SECRETS, resources });
    const bytes = Buffer.from((await store.get(KEY))!.bytes);
    const { size } = takeHeader(bytes, KEY)!;
    const chunk = (1 << 20) + 16;
    const swapped = Buffer.from(bytes);
    bytes.copy(swapped, size, size + chunk, size + 2 * chunk);
    bytes.copy(swapped, size + chunk, size, size + chunk);
    await store.put(KEY, swapped);
    expect((await failureOf(backend.read(DEV))).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
    await store.put(KEY, bytes.subarray(0, size + chunk));
    expect((await failureOf(backend.read(DEV))).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
    await store.put(KEY, bytes);
    expect((await backend.read(DEV)).deployment?.resources).toHaveLength(3000);
  });

  test('a copy by hand in the place of the checkpoint is the state that it is a copy of', async () => {
    const { store, backend } = await sealedStack();
    const before = await urnsOf(backend);
    await operate(backend, new ChangeRecorder().creates(part('b')).records, 'succeeded');
    await store.copy(`${KEY}.bak`, KEY);
    expect(await urnsOf(await sealing(store, 'on', { pid: 16, dead: new Set() }))).toEqual(before);
  });
});

describe('operations on a sealed stack', () => {
  test('one that died is folded by the next, wherever its journal was cut', async () => {
    const dead = new Set<number>();
    const { store } = await sealedStack();
    const dying = await sealing(store, 'quiet', { pid: 20, dead });
    const more = new ChangeRecorder().creates(part('b'), part('c'));
    await begin(dying, more.records);
    dead.add(20);
    const segment = '.pulumi/journals/shop/dev/00000002/000001.log';
    const whole = Buffer.from((await store.get(segment))!.bytes);
    expect(whole.includes('urn:pulumi')).toBe(false);
    const outcomes = new Set<number>();
    for (const cut of [
      0,
      5,
      40,
      whole.indexOf(0x0a) + 1,
      whole.length - 200,
      whole.length - 1,
      whole.length,
    ]) {
      const copy = memoryBlobStore();
      for (const key of await keysOf(store)) await copy.put(key, (await store.get(key))!.bytes);
      await copy.put(segment, whole.subarray(0, cut));
      const next = await sealing(copy, 'quiet', { pid: 21, dead });
      const held = await lease(next);
      outcomes.add(held.deployment.resources.length);
      expect(held.deployment.pendingOperations.length).toBeLessThanOrEqual(1);
      await held.release();
      expect(await holding(copy, 'urn:pulumi')).toEqual([]);
    }
    expect([...outcomes].sort()).toEqual([3, 5]);
  });

  test('a journal that was altered before its end is refused', async () => {
    const dead = new Set<number>();
    const { store } = await sealedStack();
    const dying = await sealing(store, 'quiet', { pid: 20, dead });
    const log = await begin(dying, new ChangeRecorder().creates(part('b')).records);
    await log.store.append([]).catch(() => undefined);
    dead.add(20);
    const segment = '.pulumi/journals/shop/dev/00000002/000001.log';
    const whole = Buffer.from((await store.get(segment))!.bytes);
    await store.put(
      segment,
      flip(Buffer.concat([whole, whole.subarray(whole.indexOf(0x0a) + 1)]), whole.indexOf(0x0a) + 30),
    );
    const next = await sealing(store, 'quiet', { pid: 21, dead });
    expect((await failureOf(lease(next))).code).toBe('CAIRN-STATE-SEALED-DAMAGED');
  });

  test('is watched from another process, and told something', async () => {
    const { store, backend } = await sealedStack();
    const log = await begin(backend, records().slice(0, 3));
    const watcher = await sealing(store, 'quiet', { pid: 22, dead: new Set() });
    const seen: number[] = [];
    const stop = new AbortController();
    await watcher.follow(DEV, 2, (more) => (seen.push(more.length), stop.abort()), stop.signal);
    expect(seen).toEqual([3]);
    await watcher.tell(DEV, 2, { t: 'abort', rollback: false, by: 'ann' });
    expect(await holding(store, '"ann"')).toEqual([
      '.pulumi/locks/organization/shop/dev/' + (await locksOf(store)),
    ]);
    await log.finish({ result: 'failed', resourceChanges: {} });
  });

  test('property: whatever single byte of a sealed checkpoint is altered, it is refused', async () => {
    const { store } = await sealedStack();
    const bytes = Buffer.from((await store.get('.pulumi/stacks/shop/dev.json'))!.bytes);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const altered = Buffer.from(bytes);
        altered[at] = (altered[at] as number) ^ change;
        await store.put('.pulumi/stacks/shop/dev.json', altered);
        const backend = await sealing(store, 'quiet', { pid: 23, dead: new Set() });
        expect((await failureOf(backend.read(DEV))).code).toMatch(
          /^CAIRN-STATE-(SEALED|SEALED-DAMAGED|CORRUPT|TOO-NEW)$/,
        );
      }),
      { numRuns: 200 },
    );
  });
});

async function contents(store: BlobStore): Promise<readonly string[]> {
  const found: string[] = [];
  for (const key of await keysOf(store)) {
    if (!key.includes('/locks/')) found.push(`${key} ${(await store.get(key))!.version}`);
  }
  return found;
}

async function locksOf(store: BlobStore): Promise<string> {
  return (await keysOf(store, '.pulumi/locks/')).map((key) => key.slice(key.lastIndexOf('/') + 1)).join();
}

function flip(bytes: Buffer, at: number): Buffer {
  const altered = Buffer.from(bytes);
  altered[at] = (altered[at] as number) ^ 1;
  return altered;
}

function replaced(bytes: Buffer, pattern: RegExp, by: string): Buffer {
  const end = bytes.indexOf(0x0a);
  return Buffer.concat([
    Buffer.from(bytes.subarray(0, end).toString().replace(pattern, by)),
    bytes.subarray(end),
  ]);
}
