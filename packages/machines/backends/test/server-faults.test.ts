import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { checkIntegrity } from '@cairn/state';
import type { ServerFault } from '@cairn/testkit/servers';
import { ChangeRecorder, part } from './operations.js';
import { closePlaces, placesUpTo } from './server-places.js';
import { DEV, START, lease, open, SECRETS, urnOf } from './world.js';

/**
 * Whole operations over servers of the protocols, with a fault at a request. The expected outcome is a column of the
 * table.
 */
type Outcome = 'goes on' | `CAIRN-${string}`;

interface Row {
  readonly title: string;
  readonly fault: ServerFault;
  readonly outcome: Outcome;
  readonly times?: number;
}

const APPEND = /000001\.log/;
const WRITE = /^(PUT|POST) /;

const ROWS: readonly Row[] = [
  { title: 'a 500 for a record', fault: { match: APPEND, status: 500 }, outcome: 'goes on', times: 2 },
  { title: 'a 503 for any request', fault: { status: 503 }, outcome: 'goes on', times: 2 },
  {
    title: 'throttling with a wish',
    fault: { match: WRITE, status: 429, headers: { 'retry-after': '0' } },
    outcome: 'goes on',
    times: 2,
  },
  {
    title: 'a connection cut before a record is there',
    fault: { match: APPEND, hangUp: 'before' },
    outcome: 'goes on',
  },
  {
    title: 'a connection cut after a record is there',
    fault: { match: APPEND, hangUp: 'after' },
    outcome: 'goes on',
  },
  {
    title: 'a connection cut after the lock is there',
    fault: { match: /(PUT|POST) .*locks/, hangUp: 'after' },
    outcome: 'goes on',
  },
  {
    title: 'a connection cut after the number is there',
    fault: { match: /(PUT|POST) .*operation\.json/, hangUp: 'after' },
    outcome: 'goes on',
  },
  {
    title: 'a connection cut after the checkpoint is there',
    fault: { match: /(PUT|POST) .*dev\.json(?!\.bak)/, hangUp: 'after' },
    outcome: 'goes on',
  },
  { title: 'an answer that is cut off', fault: { match: /^GET /, truncate: 3 }, outcome: 'goes on' },
  {
    title: 'no permission for records',
    fault: { match: APPEND, status: 403 },
    outcome: 'CAIRN-STORE-DENIED',
    times: 1000,
  },
];

afterAll(closePlaces);

describe.each(placesUpTo(2))('%s', (_name, start) => {
  test.each(ROWS)('$title: $outcome', async ({ fault, outcome, times = 1 }) => {
    const { server, open: openStore } = await start();
    const store = await openStore();
    const dead = new Set<number>();
    try {
      const backend = await open(store, { pid: 40, dead });
      await backend.create(DEV, SECRETS);
      server.faults.repeat(times, fault);
      const failure = await operation(store, 41, dead, ['a', 'b']);
      const played = server.requests.filter((request) => request.fault !== undefined).length;
      expect(played).toBeGreaterThan(0);
      server.faults.clear();
      dead.add(41);
      if (outcome === 'goes on') expect(failure).toBeUndefined();
      else expect(isCairnError(failure) && failure.diagnostics[0]?.code).toBe(outcome);
      expect(await operation(store, 42, dead, ['c'])).toBeUndefined();
      const { deployment } = await backend.read(DEV);
      const names = outcome === 'goes on' ? ['a', 'b', 'c'] : ['c'];
      expect(deployment?.resources.map(({ urn }) => urn).sort()).toEqual(names.map(urnOf));
      expect(checkIntegrity(deployment!, 'read').failure).toBeUndefined();
    } finally {
      await store.close();
      await server.close();
    }
  });
});

/** Runs one operation that creates things. Resolves with its failure. */
async function operation(
  store: BlobStore,
  pid: number,
  dead: Set<number>,
  names: readonly string[],
): Promise<unknown> {
  const held = await lease(await open(store, { pid, dead }));
  try {
    const log = await held.begin(START);
    const recorder = new ChangeRecorder();
    let failure: unknown;
    try {
      for (const name of names) {
        const from = recorder.records.length;
        await log.store.append(recorder.creates(part(name)).records.slice(from));
      }
    } catch (thrown) {
      failure = thrown;
    }
    await log.finish({ result: failure === undefined ? 'succeeded' : 'failed', resourceChanges: {} });
    return failure;
  } catch (thrown) {
    return thrown;
  } finally {
    await held.release().catch(() => undefined);
  }
}
