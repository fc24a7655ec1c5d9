import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryBlobStore, openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { backendForStore } from '../src/index.js';
import { checkpointKey, digestOf } from '../src/bucket/checkpoint/checkpoint-file.js';
import type { Backend, BackendPorts } from '../src/index.js';
import { HastyTimer, pausingStore } from './pausing-store.js';
import type { PausingStore } from './pausing-store.js';
import { ChangeRecorder, begin, effect, operate, part } from './operations.js';
import { ALL_PLACES, closePlaces, placesUpTo } from './server-places.js';
import { DEV, SECRETS, START, lease, portsOf, urnOf } from './world.js';

/**
 * A writer is stopped before any one of the writes with which it stores recorded work, for longer than the term of its
 * lease. Another one takes over the stack, stores the recorded work, runs an operation of its own, and ends. Then the
 * first one wakes up: it changes nothing any more.
 */

const LEASE_LOST = 'CAIRN-LEASE-LOST';
const up = (name: string) => new ChangeRecorder().creates(part(name)).records;

/**
 * Ways to store work that was recorded under the name `first`: the preparation, then the part that is stopped. That
 * part resolves with codes of the reported diagnostics.
 */
const WAYS: Readonly<
  Record<string, (own: Backend, store: BlobStore) => Promise<() => Promise<readonly string[]>>>
> = {
  'the end of its operation': async (own) => {
    const log = await begin(own, up('first'));
    return async () => {
      const { diagnostics } = await log.finish({ result: 'succeeded', resourceChanges: {} });
      return diagnostics.map(({ code }) => code);
    };
  },
  'writing the checkpoint while its operation runs': async (own) => {
    const log = await begin(own, up('first'));
    return async () => {
      await log.writeThrough();
      return log
        .finish({ result: 'succeeded', resourceChanges: {} })
        .then(({ diagnostics }) => diagnostics.map(({ code }) => code));
    };
  },
  'writing the checkpoint before the first effect of its operation': async (own) => {
    const recorder = new ChangeRecorder().creates(part('first'));
    const before = recorder.records.length;
    const log = await begin(own, recorder.records.slice());
    return async () => {
      await log.store.append(recorder.fails(effect('none')).records.slice(before));
      return log
        .finish({ result: 'failed', resourceChanges: {} })
        .then(({ diagnostics }) => diagnostics.map(({ code }) => code));
    };
  },
  'the recovery of an operation that died': async (own, store) => {
    await begin(await host(store, { pid: DEAD }), up('first'));
    return async () => {
      const held = await lease(own);
      // It may have acquired the stack after the other one had ended.
      if (held.deployment.resources.some(({ urn }) => urn === urnOf('later'))) {
        await held.release();
        return ['later'];
      }
      await held.begin(START);
      return ['began'];
    };
  },
};

const DEAD = 99;

function host(
  store: BlobStore,
  { pid = 40, name = 'h1', env = {} }: { pid?: number; name?: string; env?: BackendPorts['env'] } = {},
  timer = new HastyTimer(),
): Promise<Backend> {
  const ports = portsOf({ pid, dead: new Set([DEAD]), hostname: name }, env);
  return backendForStore(store, { ...ports, timer });
}

interface Stopped {
  readonly what: string;
  readonly wake: () => Promise<readonly string[]>;
}

/** Runs work that is stopped before its write of that number. Returns undefined when it has ended before that. */
async function stoppedAt(
  write: number,
  pausing: PausingStore,
  timer: HastyTimer,
  run: () => Promise<readonly string[]>,
  counts?: RegExp,
): Promise<Stopped | undefined> {
  const paused = pausing.pauseAt(write, counts);
  const running = run().catch((thrown: unknown) => {
    if (!isCairnError(thrown)) throw thrown;
    return thrown.diagnostics.map(({ code }) => code);
  });
  const what = await Promise.race([paused, running.then(() => undefined)]);
  if (what === undefined) return undefined;
  return {
    what,
    wake: () => {
      timer.pass(1_000_000);
      pausing.wake();
      return running;
    },
  };
}

const GZIP = { PULUMI_DIY_BACKEND_GZIP: 'true' };
type Environments = readonly [BackendPorts['env'], BackendPorts['env']];
const ENVIRONMENTS: Readonly<Record<string, Environments>> = {
  'both write alike': [{}, {}],
  'the first one writes gzip': [GZIP, {}],
  'the second one writes gzip': [{}, GZIP],
  'both write gzip': [GZIP, GZIP],
};

/**
 * Resolves with the writes before which the writer was stopped. `step` is the distance between two of them. `counts`
 * are the writes that count.
 */
async function expectWell(
  open: () => Promise<BlobStore>,
  way: string,
  [first, second]: Environments,
  { step = 1, counts }: { readonly step?: number; readonly counts?: RegExp } = {},
): Promise<readonly string[]> {
  const stops: string[] = [];
  for (let write = 0; ; write += step) {
    const store = await open();
    await (await host(store)).create(DEV, SECRETS);
    const pausing = pausingStore(store);
    const timer = new HastyTimer();
    const own = await host(pausing.store, { env: first }, timer);
    const run = await WAYS[way]!(own, store);
    const stopped = await stoppedAt(write, pausing, timer, run, counts);
    if (stopped === undefined) {
      await store.close();
      return stops;
    }
    stops.push(stopped.what);
    const at = `${write}: ${stopped.what}`;
    const other = await host(store, { name: 'h2', env: second });
    await operate(other, up('later'), 'succeeded');
    const before = await contents(store);
    const outcome = await stopped.wake();
    expect({ at, outcome: outcome.filter((code) => code !== LEASE_LOST && code !== 'later') }).toEqual({
      at,
      outcome: [],
    });
    expect(outcome.length).toBeGreaterThan(0);
    expect({ at, contents: await contents(store) }).toEqual({ at, contents: before });
    expect({ at, states: await statesOf(other) }).toEqual({
      at,
      states: [['first'], ['first', 'later'], ['first', 'later']],
    });
    await store.close();
  }
}

/** Returns the states after both operations, and the stored one. */
async function statesOf(backend: Backend): Promise<readonly (readonly string[])[]> {
  const states = [
    await backend.stateAfter(DEV, 1),
    await backend.stateAfter(DEV, 2),
    (await backend.read(DEV)).deployment,
  ];
  return states.map((state) =>
    (state?.resources ?? []).map(({ urn }) => urn.slice(urn.lastIndexOf(':') + 1)).sort(),
  );
}

/**
 * Returns contents, except locks and a checkpoint that another one under another name has followed: no one reads it.
 */
async function contents(store: BlobStore): Promise<Readonly<Record<string, string>>> {
  const counts = await checkpointKey(store, DEV);
  const rows = (await store.list('')).filter(
    ({ key }) => !key.includes('/locks/') && (key === counts || !/dev\.json(\.gz)?$/.test(key)),
  );
  const texts = await Promise.all(
    rows.map(async ({ key }) => [key, digestOf((await store.get(key))!.bytes)]),
  );
  return Object.fromEntries(texts) as Record<string, string>;
}

const LEAST_WRITES = 6;

describe.each(Object.keys(WAYS))('a writer that is paused past its lease in %s changes nothing', (way) => {
  test.each(Object.entries(ENVIRONMENTS))('in memory, %s', async (_title, environments) => {
    const stops = await expectWell(async () => memoryBlobStore(), way, environments);
    expect(stops.length).toBeGreaterThan(LEAST_WRITES);
    for (const place of [/fold\.json/, /stacks\/shop\/dev\.json/, /history/, /backups/, /sealed\.json/])
      expect(stops).toContainEqual(expect.stringMatching(place));
  });

  test('in a directory', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'cairn-paused-'));
    const open = async (): Promise<BlobStore> =>
      openBlobStore(`file://${await mkdtemp(path.join(root, 'state-'))}`);
    try {
      expect((await expectWell(open, way, [{}, {}], { step: ALL_PLACES ? 1 : 4 })).length).toBeGreaterThan(1);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

afterAll(closePlaces);

describe.each(placesUpTo(1))('on %s', (_name, start) => {
  test('a writer that is paused past its lease in the end of its operation changes nothing', async () => {
    // The state before is kept while the first step is recorded: its writes may end before the pause is set, or after.
    const sample = ALL_PLACES
      ? { counts: /^(?!.*(?:\/base\.json|\.bak))/ }
      : { step: Number.POSITIVE_INFINITY, counts: /^put \S+\/stacks\// };
    const ends: (() => Promise<void>)[] = [];
    const open = async (): Promise<BlobStore> => {
      const place = await start();
      ends.push(() => place.server.close());
      return place.open();
    };
    try {
      const stops = await expectWell(open, 'the end of its operation', [{}, {}], sample);
      expect(stops).toContain('put .pulumi/stacks/shop/dev.json');
    } finally {
      for (const end of ends) await end();
    }
  });
});
