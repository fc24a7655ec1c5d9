import { mkdtempSync, rmSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { memoryBlobStore, openBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { resourceEntry } from '@cairn/state';
import type { Backend, BucketBackend } from '../src/index.js';
import { DEV, Recorder, START, lease, newStack, open, urnOf } from './world.js';

/**
 * Counts of touches of a store, by kind: directories opened, files opened or looked at, flushes; on a bucket, requests.
 * They depend neither on the machine nor on how much the stack keeps [STORE-14].
 */
type Touches = Readonly<Record<string, number>>;

const mockTouches: Record<string, number> = {};
const mockCount = (what: string): void => {
  mockTouches[what] = (mockTouches[what] ?? 0) + 1;
};

jest.mock('node:fs/promises', () => {
  const real = jest.requireActual<typeof FileSystem>('node:fs/promises');
  const counted = <K extends 'readdir' | 'stat' | 'copyFile'>(name: K, what: string) =>
    ((...given: readonly never[]) => {
      mockCount(what);
      return (real[name] as (...all: readonly never[]) => unknown)(...given);
    }) as (typeof FileSystem)[K];
  return {
    ...real,
    readdir: counted('readdir', 'directories'),
    stat: counted('stat', 'files'),
    copyFile: counted('copyFile', 'files'),
    open: async (...given: Parameters<typeof FileSystem.open>) => {
      mockCount('files');
      const handle = await real.open(...given);
      const sync = handle.sync.bind(handle);
      handle.sync = () => {
        mockCount('flushes');
        return sync();
      };
      return handle;
    },
  };
});

/** Counts every call of a store as one request. */
function counting(store: BlobStore): BlobStore {
  return new Proxy(store, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...given: readonly unknown[]) => {
        mockCount('requests');
        return (value as (...all: readonly unknown[]) => unknown).apply(target, [...given]);
      };
    },
  });
}

/** Runs a whole operation that creates one thing. `effect`: it is created by a provider. */
async function operate(backend: Backend, effect = false): Promise<void> {
  const held = await lease(backend);
  const log = await held.begin(START);
  const recorder = new Recorder();
  const urn = urnOf(`part-${held.deployment.resources.length}`);
  const part = resourceEntry({ urn, type: 'test:index:Thing', custom: effect, ...(effect && { id: urn }) });
  await log.store.append(recorder.creates(part));
  await log.finish({ result: 'succeeded', resourceChanges: { create: 1 } });
  await held.release();
}

const WORK: readonly {
  readonly what: string;
  readonly run: (backend: BucketBackend) => Promise<unknown>;
  /** Most touches allowed. */
  readonly file: Touches;
  readonly bucket: Touches;
}[] = [
  {
    what: 'an operation',
    run: (backend) => operate(backend),
    file: { directories: 9, files: 45, flushes: 23 },
    bucket: { requests: 22 },
  },
  {
    what: 'an operation with an effect',
    run: (backend) => operate(backend, true),
    file: { directories: 9, files: 52, flushes: 27 },
    bucket: { requests: 25 },
  },
  {
    what: 'the state (stack output, preview)',
    run: (backend) => backend.read(DEV),
    file: { directories: 3, files: 1, flushes: 0 },
    bucket: { requests: 3 },
  },
  {
    what: 'the newest entry of the history',
    run: (backend) => backend.history(DEV, { page: 1, size: 1 }),
    file: { directories: 1, files: 1, flushes: 0 },
    bucket: { requests: 2 },
  },
  {
    what: 'the newest changes',
    run: (backend) => backend.changes(DEV, 3),
    file: { directories: 6, files: 3, flushes: 0 },
    bucket: { requests: 6 },
  },
  {
    what: 'one change of a list',
    run: (backend) => backend.changeRow(DEV, 5),
    file: { directories: 4, files: 5, flushes: 0 },
    bucket: { requests: 7 },
  },
  {
    what: 'whether the stack exists',
    run: (backend) => backend.exists(DEV),
    file: { directories: 1, files: 0, flushes: 0 },
    bucket: { requests: 1 },
  },
  {
    what: 'notes on a store',
    run: (backend) => backend.bucket.notes(),
    file: { directories: 1, files: 0, flushes: 0 },
    bucket: { requests: 1 },
  },
];

const PLACES = {
  file: async (folder: string): Promise<BlobStore> => openBlobStore(pathToFileURL(folder).href, {}),
  bucket: async (): Promise<BlobStore> => counting(memoryBlobStore()),
} as const;

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'cairn-touches-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Counts the touches of each kind of work in a stack with `kept` operations, of which `retention` are kept. */
async function touchesOf(
  place: keyof typeof PLACES,
  kept: number,
  retention: number,
): Promise<Readonly<Record<string, Touches>>> {
  const store = await PLACES[place](path.join(folder));
  await newStack(store);
  const process = { pid: 10, dead: new Set<number>() };
  const env = { CAIRN_JOURNAL_RETENTION: String(retention) };
  for (let count = 0; count < kept; count += 1) await operate(await open(store, process, env));
  const touches: Record<string, Touches> = {};
  for (const { what, run } of WORK) {
    const backend = await open(store, process, env);
    for (const name of Object.keys(mockTouches)) delete mockTouches[name];
    await run(backend);
    touches[what] = { ...mockTouches };
  }
  return touches;
}

test.each([
  ['file', 'while all are kept', 50, 1000],
  ['file', 'when the oldest goes', 20, 20],
  ['bucket', 'while all are kept', 50, 1000],
  ['bucket', 'when the oldest goes', 20, 20],
] as const)('%s: %s, nothing grows with what is kept', async (place, _when, kept, retention) => {
  const few = await touchesOf(place, 5, retention === kept ? 5 : retention);
  rmSync(folder, { recursive: true });
  folder = mkdtempSync(path.join(tmpdir(), 'cairn-touches-'));
  const many = await touchesOf(place, kept, retention);
  expect(many).toEqual(few);
});

test.each(['file', 'bucket'] as const)('%s: no more is touched than the table says', async (place) => {
  const touches = await touchesOf(place, 5, 1000);
  for (const row of WORK) {
    const limits: Touches = row[place];
    const over = Object.entries(touches[row.what] ?? {}).filter(
      ([name, count]) => count > (limits[name] ?? 0),
    );
    expect([row.what, over]).toEqual([row.what, []]);
  }
});
