import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { BucketHold } from './bucket-hold.js';

const KEY = 'process.json';

interface TestProcess {
  readonly pid: number;
  readonly host?: string;
  readonly alive?: readonly number[];
  readonly monotonic?: () => number;
}

function holdOf(blobs: BlobStore, { pid, host = 'a', alive = [], monotonic = () => 0 }: TestProcess) {
  const process = { pid, hostname: host, username: 'ann', isAlive: (other: number) => alive.includes(other) };
  const ports = { process, newId: () => `process-${pid}`, now: () => new Date(0) };
  const times = { beatMs: 3_600_000, lostMs: 40_000, lookMs: 1 };
  return new BucketHold({ blobs, key: KEY }, ports, monotonic, times);
}

const noFailure = (): never => {
  throw new Error('no renewal fails');
};

test('a second process is refused while the first one lives, and takes over once it is gone', async () => {
  const blobs = memoryBlobStore();
  const first = holdOf(blobs, { pid: 1 });
  await first.take(noFailure);
  await expect(holdOf(blobs, { pid: 2, alive: [1] }).take(noFailure)).rejects.toThrow(
    'cannot serve the bucket: process 1 on a serves it',
  );
  first.check();
  const second = holdOf(blobs, { pid: 2 });
  await second.take(noFailure);
  await expect(first.renew()).rejects.toThrow('another process may serve it now');
  expect(() => first.check()).toThrow('another process may serve it now');
  await first.close();
  await second.renew();
  second.check();
  await second.close();
  expect(await blobs.get(KEY)).toBeUndefined();
});

test('a process on another machine is refused if it shows that it lives, and replaced if it does not', async () => {
  const blobs = memoryBlobStore();
  const first = holdOf(blobs, { pid: 1 });
  await first.take(noFailure);
  const reading: BlobStore = {
    ...blobs,
    list: (prefix) => blobs.list(prefix),
    get: async (key) => {
      const blob = await blobs.get(key);
      await first.renew();
      return blob;
    },
    put: (...args) => blobs.put(...args),
  };
  await expect(holdOf(reading, { pid: 1, host: 'b' }).take(noFailure)).rejects.toThrow('on a serves it');
  const times = { beatMs: 3_600_000, lostMs: 5, lookMs: 1 };
  const process = { pid: 1, hostname: 'b', username: 'ann', isAlive: () => true };
  const ports = { process, newId: () => 'later', now: () => new Date(0) };
  const later = new BucketHold({ blobs, key: KEY }, ports, () => 0, times);
  await later.take(noFailure);
  await expect(first.renew()).rejects.toThrow('another process may serve it now');
  await later.close();
});

test('a process that could not renew for too long does not work any more', async () => {
  const blobs = memoryBlobStore();
  let clock = 0;
  const hold = holdOf(blobs, { pid: 1, monotonic: () => clock });
  hold.check();
  await hold.take(noFailure);
  clock = 40_000;
  hold.check();
  clock = 40_001;
  expect(() => hold.check()).toThrow('another process may serve it now');
  await hold.renew();
  hold.check();
  await hold.close();
});

test('renewals that come while one is slow, or whose answer is lost, do not lose the bucket', async () => {
  const blobs = memoryBlobStore();
  let answers = true;
  const lossy: BlobStore = {
    ...blobs,
    get: (key) => blobs.get(key),
    put: async (...args) => {
      const result = await blobs.put(...args);
      if (!answers) throw new Error('no answer');
      return result;
    },
    delete: (...args) => blobs.delete(...args),
  };
  const hold = holdOf(lossy, { pid: 1 });
  await hold.take(noFailure);
  await Promise.all([hold.renew(), hold.renew(), hold.renew()]);
  answers = false;
  await expect(hold.renew()).rejects.toThrow('no answer');
  answers = true;
  await hold.renew();
  hold.check();
  await hold.close();
  expect(await blobs.get(KEY)).toBeUndefined();
});

test.each(['', '{', 'null'])('a note that cannot be read (%j) locks no process out', async (text) => {
  const blobs = memoryBlobStore();
  await blobs.put(KEY, Buffer.from(text));
  const hold = holdOf(blobs, { pid: 1 });
  await hold.take(noFailure);
  await hold.close();
});
