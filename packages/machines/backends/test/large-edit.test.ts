import { emptyDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { DEV, SECRETS, keysOf, newStack, open, rootUrn, urnOf } from './world.js';

const COUNT = 2500;

/** More resources than a record may carry. */
const large: SerializedDeployment = {
  ...emptyDeployment,
  secretsProvider: SECRETS,
  resources: [
    { urn: rootUrn, custom: false, type: 'pulumi:pulumi:Stack' },
    ...Array.from({ length: COUNT - 1 }, (_, index) => ({
      urn: urnOf(`r${index}`),
      custom: false,
      type: 'test:index:Thing',
      parent: rootUrn,
    })),
  ],
};

/** Dies before the first write under a key with this end. Earlier writes stay. */
function dyingAt(store: BlobStore, end: string): BlobStore {
  return {
    ...store,
    put: (key, bytes, condition) =>
      key.endsWith(end) ? Promise.reject(new Error('killed')) : store.put(key, bytes, condition),
  };
}

const count = async (store: BlobStore): Promise<number | undefined> => {
  const backend = await open(store, { pid: 99, dead: new Set([10, 11]) });
  return (await backend.read(DEV)).deployment?.resources.length;
};

test('a state too large for a record lies beside the records of its edit, which counts once it is recorded', async () => {
  const { store, backend } = await newStack();
  await backend.replace(DEV, large);
  expect(await count(store)).toBe(COUNT);
  expect(await keysOf(store, '.pulumi/journals/')).toContain(
    '.pulumi/journals/shop/dev/00000001/edited.json.gz',
  );
  const [segment] = (await store.list('.pulumi/journals/')).filter(({ key }) => key.endsWith('.log'));
  expect(segment?.size).toBeLessThan(4096);
});

test.each([
  ['before the new state is beside the records', 'edited.json.gz', 0],
  ['after the outcome is recorded', 'base.json.gz', COUNT],
  ['before the checkpoint is replaced', 'dev.json', COUNT],
])('killed %s, a large edit was made whole or not at all', async (_name, end, resources) => {
  const { store } = await newStack(memoryBlobStore());
  const dead = new Set<number>();
  const dying = await open(dyingAt(store, end), { pid: 11, dead });
  await expect(dying.replace(DEV, large)).rejects.toThrow('killed');
  expect(await count(store)).toBe(resources);
  dead.add(11);
  const next = await open(store, { pid: 12, dead: new Set([11]) });
  await next.edit(DEV, () => undefined);
  expect(await count(store)).toBe(resources);
  expect((await next.changes(DEV)).every((change) => !change.unfinished)).toBe(true);
});

const small: SerializedDeployment = {
  ...large,
  resources: large.resources.slice(0, 2),
  pendingOperations: large.resources.slice(1, 2).map((resource) => ({ type: 'deleting', resource })),
};

test.each([
  ['after the outcome is recorded', 'base.json.gz'],
  ['before the checkpoint is replaced', 'dev.json'],
])('killed %s, an edit keeps what is pending', async (_name, end) => {
  const { store } = await newStack(memoryBlobStore());
  const dead = new Set<number>();
  const dying = await open(dyingAt(store, end), { pid: 11, dead });
  await expect(dying.replace(DEV, small)).rejects.toThrow('killed');
  dead.add(11);
  const next = await open(store, { pid: 12, dead });
  const pending = async () => (await next.read(DEV)).deployment?.pendingOperations.map(({ type }) => type);
  expect(await pending()).toEqual(['deleting']);
  await next.edit(DEV, () => undefined);
  expect(await pending()).toEqual(['deleting']);
});
