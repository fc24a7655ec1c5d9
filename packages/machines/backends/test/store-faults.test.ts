import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { exitCodeFor, isCairnError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkIntegrity } from '@cairn/state';
import { ChangeRecorder, operate, part } from './operations.js';
import { faultyStore, writing } from './faulty-store.js';
import type { FaultyStore, StoreCall, StoreFault } from './faulty-store.js';
import { DEV, START, keysOf, lease, open, newStack, urnOf } from './world.js';

/**
 * Expected outcomes of a fault of the store, as a table. In the layer below, a store over a network has retried what
 * may be retried (see `blobs`): faults that are met here stay. `conflicts` are the codes that may be shown instead,
 * where the fault looks like the work of another process.
 */
interface Row {
  readonly fault: StoreFault;
  readonly conflicts?: readonly string[];
}

const TAKEN = ['CAIRN-STATE-LOCKED', 'CAIRN-LEASE-LOST', 'CAIRN-STORE-CONFLICT', 'CAIRN-STACK-EXISTS'];

const FAULTS: Readonly<Record<string, Row>> = {
  'a timeout, nothing happened': { fault: { code: 'CAIRN-STORE-UNAVAILABLE', manner: 'before' } },
  'a timeout, it happened': { fault: { code: 'CAIRN-STORE-UNAVAILABLE', manner: 'after' } },
  'a 500 for a write, nothing happened': {
    fault: { code: 'CAIRN-STORE-FAILED', manner: 'before', ...writing },
  },
  'a 500 for a write, it happened': { fault: { code: 'CAIRN-STORE-FAILED', manner: 'after', ...writing } },
  'a 412 out of nowhere': { fault: { code: 'CAIRN-STORE-CONFLICT', manner: 'condition' }, conflicts: TAKEN },
  'throttling that does not end': {
    fault: { code: 'CAIRN-STORE-UNAVAILABLE', manner: 'before', forGood: true, ...writing },
  },
  'a partial write': { fault: { code: 'CAIRN-STORE-FAILED', manner: 'torn' } },
  'permission denied': { fault: { code: 'CAIRN-STORE-DENIED', manner: 'before', forGood: true, ...writing } },
  'credentials that expire in the middle': {
    fault: { code: 'CAIRN-STORE-CREDENTIALS', manner: 'before', forGood: true },
  },
  'a clock that is too far off': {
    fault: { code: 'CAIRN-STORE-CREDENTIALS', manner: 'before', forGood: true, ...writing },
  },
  'a medium that becomes read-only': {
    fault: { code: 'CAIRN-STORE-READ-ONLY', manner: 'before', forGood: true, ...writing },
  },
  'a medium that is full': {
    fault: {
      code: 'CAIRN-STORE-FULL',
      manner: 'before',
      forGood: true,
      calls: ['put', 'copy', 'openSegment', 'append'],
    },
  },
  'a connection that is lost for good': {
    fault: { code: 'CAIRN-STORE-UNAVAILABLE', manner: 'before', forGood: true },
  },
  'a connection that is lost for good, after it happened': {
    fault: { code: 'CAIRN-STORE-UNAVAILABLE', manner: 'after', forGood: true },
  },
};

const NAMES = ['a', 'b', 'c'];

/** Promises of an operation: steps whose end, and whose begin, was durable. */
interface Promised {
  readonly ended: string[];
  readonly begun: string[];
  /** Diagnostics shown with a state that was stored. */
  readonly told: Diagnostic[];
  stored: boolean;
}

/** Runs a whole operation that creates what is missing, as the command line runs one. Resolves with its failure. */
async function createAll(
  store: BlobStore,
  pid: number,
  dead: Set<number>,
  promised: Promised,
): Promise<unknown> {
  try {
    const held = await lease(await open(store, { pid, dead }));
    try {
      const there = new Set(held.deployment.resources.map(({ urn }) => urn));
      const log = await held.begin(START);
      const recorder = new ChangeRecorder();
      let sent = 0;
      let failure: unknown;
      const flush = async (): Promise<void> => {
        const records = recorder.records.slice(sent);
        sent = recorder.records.length;
        await log.store.append(records);
      };
      try {
        for (const name of NAMES.filter((each) => !there.has(urnOf(each)))) {
          const task = recorder.begins(part(name));
          await flush();
          promised.begun.push(urnOf(name));
          const end = { kind: 'success', operationId: Number(task), state: part(name) } as const;
          recorder.ends(task, 'done', end);
          await flush();
          promised.ended.push(urnOf(name));
        }
      } catch (thrown) {
        failure = thrown;
      }
      const { diagnostics } = await log.finish({
        result: failure === undefined ? 'succeeded' : 'failed',
        resourceChanges: {},
      });
      promised.told.push(...diagnostics);
      promised.stored = true;
      return failure;
    } finally {
      // The command line warns of a lock that could not be released.
      await held.release().catch(() => undefined);
    }
  } catch (thrown) {
    return thrown;
  }
}

/**
 * Runs the next command, on a store that works again: everything that was promised is there, and it continues to the
 * end.
 */
async function continueAfter(store: BlobStore, dead: Set<number>, promised: Promised): Promise<void> {
  const held = await lease(await open(store, { pid: 21, dead }));
  const urns = held.deployment.resources.map(({ urn }) => urn);
  expect(urns).toEqual(expect.arrayContaining([urnOf('before'), ...promised.ended]));
  const doubted = held.deployment.pendingOperations.map(({ resource }) => resource.urn);
  const unknown = promised.begun.filter((urn) => !promised.ended.includes(urn));
  for (const urn of unknown) expect([...urns, ...doubted]).toContain(urn);
  expect(checkIntegrity(held.deployment, 'read').failure).toBeUndefined();
  await held.release();
  const rest: Promised = { ended: [], begun: [], told: [], stored: false };
  expect(await createAll(store, 22, dead, rest)).toBeUndefined();
  const { deployment } = await (await open(store, { pid: 23, dead })).read(DEV);
  expect(deployment?.resources.map(({ urn }) => urn).sort()).toEqual(
    ['a', 'b', 'before', 'c'].map(urnOf).sort(),
  );
  expect(await keysOf(store, '.pulumi/locks/')).toEqual([]);
}

/**
 * Checks that an error of the store says what was done, why not, and what to do. It also says where the records are,
 * once there are any.
 */
function explained(failure: unknown, { fault, conflicts = [] }: Row, promised: Promised): void {
  if (!isCairnError(failure)) throw failure;
  const [first] = failure.diagnostics;
  expect([fault.code, ...conflicts]).toContain(first?.code);
  expect(first?.hint ?? '').not.toBe('');
  expect(exitCodeFor(first?.code ?? '')).toBeGreaterThan(0);
  if (promised.begun.length > 0 && !promised.stored)
    expect([...(first?.causes ?? []), first?.hint].join('\n')).toContain('.pulumi/journals/shop/dev/0000000');
}

async function base(): Promise<{ readonly store: BlobStore; readonly dead: Set<number> }> {
  const { store, backend, dead } = await newStack(memoryBlobStore());
  await operate(backend, new ChangeRecorder().creates(part('before')).records, 'succeeded');
  return { store, dead };
}

describe.each(Object.entries(FAULTS))('%s', (_title, row) => {
  test('at every call of an operation: explained, nothing acknowledged is lost, and the next command goes on', async () => {
    const struck = new Set<StoreCall>();
    for (let at = 0; ; at += 1) {
      const { store, dead } = await base();
      const faulty: FaultyStore = faultyStore(store, row.fault, at);
      const promised: Promised = { ended: [], begun: [], told: [], stored: false };
      const failure = await createAll(faulty, 20, dead, promised);
      const hit = faulty.struck();
      if (hit === undefined) {
        expect([failure, at > 3 || row.fault.manner === 'torn']).toEqual([undefined, true]);
        break;
      }
      struck.add(hit.call);
      if (failure !== undefined) explained(failure, row, promised);
      dead.add(20);
      await continueAfter(store, dead, promised);
    }
    expect(struck.size).toBeGreaterThanOrEqual(
      row.fault.manner === 'torn' || row.fault.manner === 'condition' ? 1 : 4,
    );
  });
});
