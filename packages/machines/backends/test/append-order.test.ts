import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { DEV, Recorder, START, lease, newStack, open, providerEntry, root, thing } from './world.js';

/** Returns a store in which looks at the lock wait until they are let through, once `held` is set. */
function slowToLook(inner: BlobStore): {
  readonly store: BlobStore;
  readonly gate: { held: boolean; open: () => void };
} {
  const waiting: (() => void)[] = [];
  const gate = { held: false, open: () => waiting.splice(0).forEach((go) => go()) };
  const look = async (): Promise<void> => {
    if (gate.held) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const store: BlobStore = {
    ...inner,
    get: async (key) => (key.includes('/locks/') && (await look()), inner.get(key)),
    list: async (prefix) => (prefix.includes('locks') && (await look()), inner.list(prefix)),
  };
  return { store, gate };
}

test('what is appended counts in its order, also when a later append is done before the lock was looked at for an earlier one', async () => {
  const { store, gate } = slowToLook(memoryBlobStore());
  const { dead } = await newStack(store);
  const backend = await open(store, { pid: 11, dead });
  const held = await lease(backend);
  const log = await held.begin(START);
  const records = new Recorder();
  await log.store.append(records.creates(root, providerEntry));

  gate.held = true;
  const begun = log.store.append([records.begin(10, thing('a'))]);
  const done = log.store.append([records.created(10, thing('a'))]);
  let isDone = false;
  void done.then(() => (isDone = true));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  gate.held = false;
  gate.open();
  await Promise.all([begun, done]);

  await log.finish({ result: 'succeeded', resourceChanges: {} });
  await held.release();
  const { deployment } = await backend.read(DEV);
  expect(deployment?.pendingOperations).toEqual([]);
  expect(deployment?.resources).toHaveLength(3);
});
