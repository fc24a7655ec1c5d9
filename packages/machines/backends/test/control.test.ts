import type { ChangeRecord } from '@cairn/changes';
import type { Diagnostic } from '@cairn/diagnostics';
import { backendForStore } from '../src/index.js';
import type { Backend, ControlMessage, Timer } from '../src/index.js';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, START, failureOf, keysOf, lease, newStack, open, portsOf } from './world.js';
import type { BlobStore } from '@cairn/blobs';

/** Returns a timer that a test advances. `due` is the number of waiting callbacks that keep a process alive. */
function handTimer(): Timer & { tick(): Promise<void>; due(): number } {
  const waiting = new Set<() => void>();
  return {
    inBackground: () => () => undefined,
    ticks: () => 0,
    stopwatch: () => () => 0,
    after: (_ms, run) => {
      waiting.add(run);
      return () => void waiting.delete(run);
    },
    due: () => waiting.size,
    tick: async () => {
      for (const run of [...waiting]) {
        waiting.delete(run);
        run();
      }
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const settle = (): Promise<void> => handTimer().tick();

async function timed(
  store: BlobStore,
  pid: number,
  dead: Set<number>,
): Promise<{ backend: Backend; timer: ReturnType<typeof handTimer> }> {
  const timer = handTimer();
  return { backend: await backendForStore(store, { ...portsOf({ pid, dead }), timer }), timer };
}

const ABORT: ControlMessage = { t: 'abort', rollback: true, by: 'bob' };
const APPROVE: ControlMessage = { t: 'approve', task: '3', by: 'bob' };
const CREATED: ControlMessage = { t: 'resolve', task: '2', answer: { created: 'i-1' }, by: 'bob' };
const things = new ChangeRecorder().creates(part('a'));

describe('messages to a change', () => {
  test('a running operation hears each once, in order, until it ends', async () => {
    const { store, dead } = await newStack();
    const { backend, timer } = await timed(store, 11, dead);
    const log = await begin(backend, things.records);
    const heard: ControlMessage[] = [];
    log.onMessage({ hear: (message) => heard.push(message), warn: (found) => fail(found) });
    const other = await open(store, { pid: 12, dead });
    await settle();
    await other.tell(DEV, 1, APPROVE);
    await timer.tick();
    expect(heard).toEqual([APPROVE]);
    await other.tell(DEV, 1, CREATED);
    await other.tell(DEV, 1, ABORT);
    await timer.tick();
    await timer.tick();
    expect(heard).toEqual([APPROVE, CREATED, ABORT]);
    expect(timer.due()).toBe(1);
    await log.finish({ result: 'failed', resourceChanges: {} });
    expect(timer.due()).toBe(0);
  });

  test('one that comes at the last moment is heard before the operation ends', async () => {
    const { store, dead } = await newStack();
    const { backend, timer } = await timed(store, 11, dead);
    const log = await begin(backend, things.records);
    const heard: ControlMessage[] = [];
    log.onMessage({ hear: (message) => heard.push(message), warn: (found) => fail(found) });
    await timer.tick();
    await (await open(store, { pid: 12, dead })).tell(DEV, 1, ABORT);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    expect(heard).toEqual([ABORT]);
    expect(timer.due()).toBe(0);
  });

  test('two who tell at once are both heard', async () => {
    const { store, dead } = await newStack();
    const { backend, timer } = await timed(store, 11, dead);
    const log = await begin(backend, things.records);
    const heard: ControlMessage[] = [];
    log.onMessage({ hear: (message) => heard.push(message), warn: (found) => fail(found) });
    const others = await Promise.all([12, 13, 14].map((pid) => open(store, { pid, dead })));
    await Promise.all(
      others.map((other, index) => other.tell(DEV, 1, { t: 'approve', task: String(index), by: 'x' })),
    );
    await timer.tick();
    await timer.tick();
    expect(heard).toHaveLength(3);
    expect(new Set(heard.map((message) => (message.t === 'approve' ? message.task : ''))).size).toBe(3);
  });

  test.each([
    ['no JSON', '{'],
    ['no message', '{"version":1,"t":"dance","by":"x"}'],
    ['an approval of nothing', '{"version":1,"t":"approve","by":"x"}'],
    [
      'an answer that says nothing',
      '{"version":1,"t":"resolve","task":"1","answer":{"created":""},"by":"x"}',
    ],
    ['of a later version', '{"version":2,"t":"abort","rollback":true,"by":"x"}'],
    ['altered', '{"by":"x","rollback":true,"t":"abort","version":1,"sum":"00000000"}'],
  ])('one that cannot be read is a warning, and the next is heard: %s', async (_title, text) => {
    const { store, dead } = await newStack();
    const { backend, timer } = await timed(store, 11, dead);
    const log = await begin(backend, things.records);
    await store.put('.pulumi/journals/shop/dev/00000001/control-000001.json', Buffer.from(text));
    const heard: ControlMessage[] = [];
    const warned: Diagnostic[] = [];
    log.onMessage({ hear: (message) => heard.push(message), warn: (found) => warned.push(found) });
    await (await open(store, { pid: 12, dead })).tell(DEV, 1, ABORT);
    await settle();
    await timer.tick();
    expect(warned).toMatchObject([{ severity: 'warning', code: 'CAIRN-JOURNAL-CORRUPT' }]);
    expect(heard).toEqual([ABORT]);
  });

  test('a store that cannot be listed is told once, and messages are heard when it can be again', async () => {
    const { store: inner, dead } = await newStack();
    let broken = false;
    const store: BlobStore = {
      ...inner,
      list: (prefix) => (broken ? failing() : inner.list(prefix)),
    };
    const failing = async (): Promise<never> => {
      const { cairnError } = await import('@cairn/diagnostics');
      throw cairnError('CAIRN-STORE-FAILED', 'cannot list');
    };
    const { backend, timer } = await timed(store, 11, dead);
    const log = await begin(backend, things.records);
    const heard: ControlMessage[] = [];
    const warned: Diagnostic[] = [];
    broken = true;
    log.onMessage({ hear: (message) => heard.push(message), warn: (found) => warned.push(found) });
    await settle();
    await timer.tick();
    await timer.tick();
    expect(warned).toHaveLength(1);
    broken = false;
    await backend.tell(DEV, 1, ABORT);
    await timer.tick();
    expect(heard).toEqual([ABORT]);
  });

  test('one that rests or died gets approvals and answers for whoever goes on with it, and no aborts', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, things.records, 'waiting');
    await backend.tell(DEV, 1, APPROVE);
    expect(await failureOf(backend.tell(DEV, 1, ABORT))).toMatchObject({
      code: 'CAIRN-CHANGE-ENDED',
      summary: 'change 1 is not running: it waits',
    });
    const other = await open(store, { pid: 12, dead });
    const held = await lease(other);
    expect(held.unfinished?.changes[0]?.messages).toEqual([APPROVE]);
    const log = await held.begin(START);
    await log.store.append(things.records);
    await log.finish({ result: 'succeeded', resourceChanges: {} });
    await held.release();
    expect((await failureOf(backend.tell(DEV, 1, APPROVE))).code).toBe('CAIRN-CHANGE-ENDED');
    expect((await failureOf(backend.tell(DEV, 9, APPROVE))).code).toBe('CAIRN-CHANGE-UNKNOWN');
    expect(await keysOf(store, '.pulumi/journals/shop/dev/00000001/control-')).toHaveLength(1);
  });
});

describe('following a change', () => {
  test.each(['by offset', 'by reading again'])(
    'records come as they are made, whole transactions only, until it ends: %s',
    async (how) => {
      const { store: inner, dead } = await newStack();
      const { getFrom: _unused, ...plain } = inner;
      const store = how === 'by offset' ? inner : plain;
      const writer = await open(store, { pid: 11, dead });
      const log = await begin(writer, []);
      const { backend, timer } = await timed(store, 12, dead);
      const seen: ChangeRecord[] = [];
      const following = backend.follow(
        DEV,
        1,
        (records) => seen.push(...records),
        new AbortController().signal,
      );
      const { records } = new ChangeRecorder().creates(part('a'), part('b'));
      let sent = 0;
      for (const cut of [1, 2, 4, 7]) {
        await log.store.append(records.slice(sent, cut));
        sent = cut;
        await timer.tick();
        // The record before the first step waits for it.
        expect(seen).toEqual(cut === 1 ? [] : records.slice(0, cut));
      }
      await log.finish({ result: 'succeeded', resourceChanges: {} });
      await timer.tick();
      expect(await following).toMatchObject({
        id: '1',
        result: 'succeeded',
        running: false,
        tasks: { done: 2 },
      });
      expect(seen).toEqual(records);
    },
  );

  test('of one that ended gives all its records at once; of one whose process is gone too', async () => {
    const { store, backend, dead } = await newStack();
    await operate(backend, things.records, 'succeeded');
    const seen: ChangeRecord[] = [];
    const watch = (from: Backend, number: number): ReturnType<Backend['follow']> =>
      from.follow(DEV, number, (records) => seen.push(...records), new AbortController().signal);
    expect((await watch(backend, 1)).result).toBe('succeeded');
    expect(seen).toEqual(things.records);
    await begin(backend, things.records);
    dead.add(10);
    seen.length = 0;
    expect(await watch(await open(store, { pid: 12, dead }), 2)).toMatchObject({
      running: false,
      result: undefined,
      unfinished: true,
    });
    expect(seen).toEqual(things.records);
    expect((await failureOf(watch(backend, 7))).code).toBe('CAIRN-CHANGE-UNKNOWN');
  });

  test('ends when the watcher is told to stop', async () => {
    const { store, dead } = await newStack();
    const log = await begin(await open(store, { pid: 11, dead }), things.records);
    const { backend } = await timed(store, 12, dead);
    const stop = new AbortController();
    const following = backend.follow(DEV, 1, () => stop.abort(), stop.signal);
    expect(await following).toMatchObject({ running: true });
    await log.finish({ result: 'succeeded', resourceChanges: {} });
  });
});

function fail(found: Diagnostic): never {
  throw new Error(found.summary);
}
