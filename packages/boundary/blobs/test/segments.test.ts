import fc from 'fast-check';
import { isCairnError } from '@cairn/diagnostics';
import { ObjectFailure } from '../src/object/object-client.js';
import { ObjectBlobStore } from '../src/object/object-store.js';
import type { ObjectRetryPorts } from '../src/object/retrying.js';
import { memoryBucket } from './memory-client.js';
import type { Bucket, Network } from './memory-client.js';

/** Number of random cases of each property: a sample here, many in the lane of the stores (`npm run stores`). */
const RUNS = Number(process.env['CAIRN_SEGMENT_RUNS'] ?? 30);

const KEY = 'j/0001.log';
const instant: ObjectRetryPorts = { now: () => 0, random: () => 0, sleep: async () => undefined };
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await Promise.resolve();
};

/** Course of one request: it takes some turns, and its answer may be lost; or it never arrives. */
interface Fate {
  readonly turns: number;
  readonly end: 'well' | 'lost-before' | 'lost-after' | 'throttled';
}

const fates = fc.array(
  fc.record({
    turns: fc.integer({ min: 0, max: 12 }),
    end: fc.constantFrom<Fate['end']>(
      'well',
      'well',
      'well',
      'well',
      'lost-before',
      'lost-after',
      'throttled',
    ),
  }),
  { maxLength: 80 },
);

/**
 * Returns a network that follows the fates in turn; later requests succeed. While `dead` returns true, no request gets
 * through.
 */
function networkOf(list: readonly Fate[], dead: () => boolean): Network {
  let next = 0;
  return async (_call, run) => {
    const fate = list[next] ?? { turns: 1, end: 'well' };
    next += 1;
    await turns(fate.turns);
    if (dead()) return new Promise<never>(() => undefined);
    if (fate.end === 'throttled') throw new ObjectFailure('throttled', 'slow down');
    if (fate.end === 'lost-before') throw new ObjectFailure('timeout', 'no answer');
    const result = run();
    await turns(fate.turns);
    if (dead()) return new Promise<never>(() => undefined);
    if (fate.end === 'lost-after') throw new ObjectFailure('unavailable', 'hung up');
    return result;
  };
}

const storeOn = (bucket: Bucket, network?: Network): ObjectBlobStore =>
  new ObjectBlobStore(bucket.client(network), { prefix: '', retry: instant });

async function textOf(bucket: Bucket): Promise<string> {
  return Buffer.from((await storeOn(bucket).get(KEY))?.bytes ?? []).toString();
}

/** Appends words with pauses between them until `alive` returns false; records the acknowledged ones. */
async function writeWords(
  store: ObjectBlobStore,
  pauses: readonly number[],
  acknowledged: string[],
): Promise<{ readonly all: string; readonly failures: unknown[] }> {
  const opened = await store.openSegment(KEY);
  if (!opened.ok) return { all: '', failures: ['exists'] };
  const failures: unknown[] = [];
  const appends: Promise<void>[] = [];
  let all = '';
  for (const [index, pause] of pauses.entries()) {
    const word = `${index};`;
    all += word;
    appends.push(
      opened.segment.append(Buffer.from(word)).then(
        () => void acknowledged.push(word),
        (thrown: unknown) => void failures.push(thrown),
      ),
    );
    await turns(pause);
  }
  await Promise.all(appends);
  await opened.segment.close();
  return { all, failures };
}

const pauses = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 25 });

test('whatever happens to requests: what was acknowledged is there, in order, and nothing but what was appended', async () => {
  await fc.assert(
    fc.asyncProperty(fates, pauses, async (list, words) => {
      const bucket = memoryBucket();
      const acknowledged: string[] = [];
      const { all, failures } = await writeWords(
        storeOn(
          bucket,
          networkOf(list, () => false),
        ),
        words,
        acknowledged,
      ).catch(() => ({ all: '', failures: ['not opened'] }));
      const read = await textOf(bucket);
      expect(read.startsWith(acknowledged.join(''))).toBe(true);
      expect(all.startsWith(read)).toBe(true);
      if (failures.length === 0) expect(read).toBe(all);
    }),
    { numRuns: RUNS },
  );
});

test('a writer that dies at any moment, and one who takes over: nothing acknowledged is missing, and nothing comes later', async () => {
  await fc.assert(
    fc.asyncProperty(fates, pauses, fc.integer({ min: 0, max: 200 }), async (list, words, life) => {
      const bucket = memoryBucket();
      const acknowledged: string[] = [];
      let dead = false;
      void writeWords(
        storeOn(
          bucket,
          networkOf(list, () => dead),
        ),
        words,
        acknowledged,
      ).catch(() => undefined);
      await turns(life);
      dead = true;
      const atDeath = acknowledged.join('');
      await storeOn(bucket).fenceSegment(KEY);
      const read = await textOf(bucket);
      expect(read.startsWith(atDeath)).toBe(true);
      expect(
        words
          .map((_, index) => `${index};`)
          .join('')
          .startsWith(read),
      ).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('a writer that is paused and wakes up after it was taken over: it fails, and what it was told stays true', async () => {
  await fc.assert(
    fc.asyncProperty(fates, pauses, fc.integer({ min: 0, max: 150 }), async (list, words, before) => {
      const bucket = memoryBucket();
      const acknowledged: string[] = [];
      const writing = writeWords(
        storeOn(
          bucket,
          networkOf(list, () => false),
        ),
        words,
        acknowledged,
      ).catch((thrown: unknown) => ({ all: '', failures: [thrown] }));
      await turns(before);
      const fenced = bucket.objects.has(KEY);
      await storeOn(bucket).fenceSegment(KEY);
      const read = await textOf(bucket);
      const { failures } = await writing;
      if (!fenced) return;
      // An acknowledgement may arrive later, but only for bytes that were read by then.
      expect(read.startsWith(acknowledged.join(''))).toBe(true);
      expect(await textOf(bucket)).toBe(read);
      for (const failure of failures)
        expect(isCairnError(failure) && failure.diagnostics[0]?.code).toMatch(
          /CAIRN-LEASE-LOST|CAIRN-STORE-UNAVAILABLE/,
        );
    }),
    { numRuns: RUNS },
  );
});

test('appends made while parts are under way go together into the next one, and a few parts are under way', async () => {
  const bucket = memoryBucket();
  let underWay = 0;
  let most = 0;
  const slow: Network = async (_call, run) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return run();
  };
  const opened = await storeOn(bucket, slow).openSegment(KEY);
  if (!opened.ok) throw new Error('not opened');
  const appends: Promise<void>[] = [];
  for (let i = 0; i < 100; i += 1) {
    appends.push(opened.segment.append(Buffer.from(`${i}\n`)));
    await Promise.resolve();
  }
  await Promise.all(appends);
  const parts = [...bucket.objects.keys()].filter((key) => key.includes('.p'));
  expect(most).toBe(4);
  expect(parts).toHaveLength(5);
  await opened.segment.close();
});

describe('a segment after a large part', () => {
  /** Sleeps that the test ends. */
  const opened = async () => {
    const bucket = memoryBucket();
    const sleeping: (() => void)[] = [];
    const retry = { ...instant, sleep: async () => new Promise<void>((wake) => sleeping.push(wake)) };
    const result = await new ObjectBlobStore(bucket.client(), { prefix: '', retry }).openSegment(KEY);
    if (!result.ok) throw new Error('not opened');
    const { segment } = result;
    await segment.append(Buffer.alloc(10_000, '.'));
    const parts = (): number => [...bucket.objects.keys()].filter((key) => key.includes('.p')).length;
    const wake = async (): Promise<void> => {
      for (const one of sleeping.splice(0)) one();
      await turns(50);
    };
    return { bucket, segment, parts, wake };
  };

  test('waits until no more appends come', async () => {
    const { segment, parts, wake } = await opened();
    const appends = [segment.append(Buffer.from('a'))];
    for (const word of ['b', 'c', 'd']) {
      await turns(50);
      appends.push(segment.append(Buffer.from(word)));
      await wake();
      expect(parts()).toBe(1);
    }
    await wake();
    await Promise.all(appends);
    expect(parts()).toBe(2);
    await segment.close();
  });

  test('waits no longer than its most pauses, however many appends come', async () => {
    const { segment, parts, wake } = await opened();
    const appends = [segment.append(Buffer.from('a'))];
    let pauses = 0;
    for (; parts() === 1; pauses += 1) {
      await turns(50);
      appends.push(segment.append(Buffer.from('a')));
      await wake();
    }
    await Promise.all(appends);
    expect(pauses).toBe(15);
    await segment.close();
  });

  test('waits for nothing when it is closed, or when small parts have come', async () => {
    const { segment, parts, wake } = await opened();
    const waiting = segment.append(Buffer.from('a'));
    await wake();
    await waiting;
    await segment.append(Buffer.from('b'));
    expect(parts()).toBe(3);
    const large = segment.append(Buffer.alloc(10_000, '.'));
    await large;
    const last = segment.append(Buffer.from('c'));
    await segment.close();
    await last;
  });
});

test('a closed segment becomes one object, and its parts go', async () => {
  const bucket = memoryBucket();
  const store = storeOn(bucket);
  const opened = await store.openSegment(KEY);
  if (!opened.ok) throw new Error('not opened');
  for (let i = 0; i < 20; i += 1) await opened.segment.append(Buffer.from(`${i}\n`));
  await opened.segment.close();
  await store.close();
  expect([...bucket.objects.keys()]).toEqual([KEY]);
  expect(await textOf(bucket)).toBe(Array.from({ length: 20 }, (_, i) => `${i}\n`).join(''));
});

test('reading while the parts are being joined never misses one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60 }), async (delays) => {
      const bucket = memoryBucket();
      const list = delays.map((count): Fate => ({ turns: count, end: 'well' }));
      const store = storeOn(bucket);
      const opened = await store.openSegment(KEY);
      if (!opened.ok) throw new Error('not opened');
      for (let i = 0; i < 12; i += 1) await opened.segment.append(Buffer.from(`${i};`));
      const whole = Array.from({ length: 12 }, (_, i) => `${i};`).join('');
      const reader = storeOn(
        bucket,
        networkOf(list, () => false),
      );
      const closing = opened.segment.close();
      const [all, rest] = await Promise.all([reader.get(KEY), reader.getFrom(KEY, 6)]);
      await closing;
      expect(Buffer.from(all?.bytes ?? []).toString()).toBe(whole);
      expect(Buffer.from(rest ?? []).toString()).toBe(whole.slice(6));
    }),
    { numRuns: RUNS },
  );
});

test('two that open a segment whose answers are lost never both have it', async () => {
  await fc.assert(
    fc.asyncProperty(fates, fates, async (first, second) => {
      const bucket = memoryBucket();
      const opened = await Promise.all(
        [first, second].map((list) =>
          storeOn(
            bucket,
            networkOf(list, () => false),
          )
            .openSegment(KEY)
            .catch(() => ({ ok: false })),
        ),
      );
      expect(opened.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    }),
    { numRuns: RUNS },
  );
});
