import type { NoticeJson } from '../src/notices/notice.js';
import { newRegisterDocument } from '../src/upkeep/register-document.js';
import type { RegisterDocument } from '../src/upkeep/register-document.js';
import { decodeRegister, logRegisterStore } from '../src/upkeep/register-log.js';
import type { RegisterChanges, RegisterHead } from '../src/upkeep/register-store.js';
import { memoryLog } from './memory-log.js';
import type { MemoryLog } from './memory-log.js';

const HEAD: RegisterHead = {
  ...{ patch: { level: 1, sublevel: 0 }, started: '2026-01-01T00:00:00.000Z' },
  ...{ lastChange: 0, lastNotice: 0, lastTimestamp: 0 },
};
const NONE = new Map<string, never>();

function changes(parts: Partial<RegisterChanges>): RegisterChanges {
  return { head: HEAD, data: NONE, changes: NONE, notices: NONE, warnings: NONE, ...parts };
}

const set = (data: Readonly<Record<string, unknown>>): RegisterChanges =>
  changes({ data: new Map(Object.entries(data)) });

const notice = (key: string): NoticeJson => ({ type: 'waiting', key }) as unknown as NoticeJson;

/** Writes of a register, and the data that it has after each. */
const WRITES: readonly (readonly [RegisterChanges, RegisterDocument['data']])[] = [
  [set({ a: 1, 'ü "quoted"\n': { deep: ['x'] } }), { a: 1, 'ü "quoted"\n': { deep: ['x'] } }],
  [set({ 'ü "quoted"\n': null, b: 'two' }), { a: 1, b: 'two' }],
  [
    changes({
      head: { ...HEAD, lastChange: 10, lastNotice: 2, lastTimestamp: 7 },
      changes: new Map([
        ['9', 'new'],
        ['10', 'done'],
      ]),
      notices: new Map([
        ['n1', notice('1')],
        ['n2', notice('2')],
      ]),
    }),
    { a: 1, b: 'two' },
  ],
  [changes({ changes: new Map([['9', null]]), notices: new Map([['n1', null]]) }), { a: 1, b: 'two' }],
  [set({ a: 3 }), { a: 3, b: 'two' }],
];

async function logOf(writes: readonly (readonly [RegisterChanges, unknown])[]): Promise<MemoryLog> {
  const log = memoryLog();
  const store = logRegisterStore(log);
  for (const [change] of writes) await store.write(change);
  return log;
}

const contentOf = (log: MemoryLog): RegisterDocument => decodeRegister(log.bytes as Uint8Array).document;

test('each write appends one frame, and the log has the register after each [CHG-31]', async () => {
  const log = memoryLog();
  const store = logRegisterStore(log);
  for (const [change, data] of WRITES) {
    const before = Buffer.from(log.bytes ?? []);
    await store.write(change);
    expect((log.bytes as Buffer).subarray(0, before.length)).toEqual(before);
    expect(contentOf(log).data).toEqual(data);
  }
  expect([log.writes, log.replacements]).toEqual([WRITES.length, 1]);
  const document = contentOf(await logOf(WRITES.slice(0, 4)));
  expect(document.changes).toEqual([{ id: '10', told: 'done' }]);
  expect(document.notices.notices).toEqual([notice('2')]);
  expect(contentOf(await logOf(WRITES.slice(0, 3))).lastChange).toBe(10);
});

test('a log that is cut within its last frame has the writes before it, and continues in its place', async () => {
  for (let count = 2; count <= WRITES.length; count += 1) {
    const whole = (await logOf(WRITES.slice(0, count))).bytes as Buffer;
    const before = (await logOf(WRITES.slice(0, count - 1))).bytes as Buffer;
    const expected = decodeRegister(before).document;
    for (let end = before.length; end < whole.length; end += 1) {
      const log = memoryLog(whole.subarray(0, end));
      const store = logRegisterStore(log);
      expect(await store.read()).toEqual(expected);
      await store.write(set({ z: end }));
      const { notices } = expected.notices;
      expect(contentOf(log)).toEqual({
        ...{ ...expected, lastChange: 0, data: { ...expected.data, z: end } },
        notices: { notices, lastId: 0, lastTimestamp: 0 },
      });
    }
  }
});

test('an append that fails after any number of bytes is written again in its place', async () => {
  const [last] = WRITES.at(-1) as (typeof WRITES)[number];
  const expected = contentOf(await logOf(WRITES));
  const before = (await logOf(WRITES.slice(0, -1))).bytes as Buffer;
  for (let written = 0; written < 400; written += 1) {
    const log = memoryLog(before);
    const store = logRegisterStore(log);
    await store.read();
    Object.assign(log, { failures: 1, written });
    await expect(store.write(last)).rejects.toThrow('disk full');
    await store.write(last);
    expect(contentOf(log)).toEqual(expected);
  }
});

describe('replacing the log', () => {
  /** Data of a register that needs much more than what one write changes. */
  const MANY = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 'x'.repeat(200)]));

  test('a log that has grown to some times its need is replaced; one that has not, is not', async () => {
    const log = memoryLog();
    const store = logRegisterStore(log);
    await store.write(set(MANY));
    const need = (log.bytes as Buffer).length;
    let most = 0;
    for (let at = 0; at < 3000; at += 1) {
      await store.write(set({ k0: `${at}`.padEnd(200) }));
      most = Math.max(most, (log.bytes as Buffer).length);
    }
    expect(contentOf(log).data).toEqual({ ...MANY, k0: '2999'.padEnd(200) });
    expect(most).toBeGreaterThan(4 * need);
    expect(most).toBeLessThan(4 * need + 70_000);
    expect(log.replacements).toBeLessThan(9);
    // What is deleted is no longer needed.
    await store.write(set(Object.fromEntries(Object.keys(MANY).map((key) => [key, null]))));
    expect((log.bytes as Buffer).length).toBeLessThan(300);
  });

  test.each([
    ['before it', false],
    ['after it', true],
  ])('a replacement that fails %s is made again, and no write is lost', async (_title, isPlaced) => {
    const log = memoryLog();
    const store = logRegisterStore(log);
    await store.write(set(MANY));
    const { replace } = log;
    let failed = 0;
    log.replace = async (bytes) => {
      if (failed > 0) return replace(bytes);
      failed += 1;
      if (isPlaced) await replace(bytes);
      throw new Error('disk full');
    };
    let at = 0;
    for (; failed === 0; at += 1) {
      const before = contentOf(log).data;
      const write = store.write(set({ k0: `${at}`.padEnd(2000) }));
      await write.catch(() => expect(contentOf(log).data).toEqual(isPlaced ? next(at) : before));
    }
    await store.write(set({ k0: `${at}`.padEnd(2000) }));
    expect(contentOf(log).data).toEqual(next(at));
    expect(log.replacements).toBe(isPlaced ? 3 : 2);
    await store.write(set({ last: 1 }));
    expect(contentOf(log).data).toEqual({ ...next(at), last: 1 });
    expect(log.replacements).toBe(isPlaced ? 3 : 2);
  });

  const next = (at: number): object => ({ ...MANY, k0: `${at}`.padEnd(2000) });

  test('a log that was removed or shortened meanwhile is written whole', async () => {
    for (const bytes of [undefined, new Uint8Array(3)]) {
      const log = await logOf([]);
      const store = logRegisterStore(log);
      await store.write(set({ a: 1 }));
      log.bytes = bytes;
      await store.write(set({ b: 2 }));
      expect(contentOf(log).data).toEqual({ a: 1, b: 2 });
    }
  });
});

test('a register of an older version is read, and becomes a log with its first write', async () => {
  const old: RegisterDocument = {
    ...newRegisterDocument({ level: 1, sublevel: 0 }, new Date(0)),
    data: { a: 1 },
    changes: [{ id: '4', told: 'new' }],
  };
  const log = memoryLog(Buffer.from(`${JSON.stringify(old, undefined, 1)}\n`));
  const store = logRegisterStore(log);
  expect(await store.read()).toEqual(old);
  await store.write(set({ b: 2 }));
  expect(contentOf(log)).toEqual({ ...old, started: HEAD.started, lastChange: 0, data: { a: 1, b: 2 } });
  await store.write(set({ c: 3 }));
  expect([log.replacements, contentOf(log).data]).toEqual([1, { a: 1, b: 2, c: 3 }]);
});

test('damage before the last frame is refused with its place', async () => {
  const bytes = (await logOf(WRITES)).bytes as Buffer;
  const frames = bytes.toString().split('\n');
  const last = bytes.length - Buffer.byteLength(frames.at(-2) as string) - 1;
  for (let at = 0; at < last; at += 1) {
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] as number) ^ 1;
    expect(() => decodeRegister(damaged)).toThrow('the register of changes is damaged');
  }
  const second = Buffer.byteLength(frames[0] as string) + 1;
  const damaged = Buffer.from(bytes);
  damaged[second + 30] = 0;
  expect(() => decodeRegister(damaged)).toThrow(
    expect.objectContaining({
      diagnostics: [
        expect.objectContaining({
          code: 'CAIRN-STATE-CORRUPT',
          causes: [`at byte ${second}: whole records follow`],
        }),
      ],
    }) as Error,
  );
});
