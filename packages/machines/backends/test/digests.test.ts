import { Recorder, DEV, START, keysOf, lease, newStack, providerEntry, root, thing } from './world.js';

/** Digests of operations beside the state: kept as they are, and gone with the stack [STORE-23]. */

const KEY = '.pulumi/digests/shop/dev.json';
const text = async (bytes: Promise<Uint8Array | undefined>): Promise<string | undefined> => {
  const found = await bytes;
  return found && Buffer.from(found).toString();
};

test('the last digests that were kept are returned', async () => {
  const { backend } = await newStack();
  expect(await backend.bucket.digests(DEV)).toBeUndefined();
  await backend.bucket.keepDigests(DEV, Buffer.from('one'));
  await backend.bucket.keepDigests(DEV, Buffer.from('two'));
  expect(await text(backend.bucket.digests(DEV))).toBe('two');
});

test('neither another stack nor a listing sees them', async () => {
  const { store, backend } = await newStack();
  await backend.bucket.keepDigests(DEV, Buffer.from('one'));
  expect(await keysOf(store)).toContain(KEY);
  expect(await backend.bucket.digests({ ...DEV, stack: 'prod' })).toBeUndefined();
  expect(await backend.list()).toEqual([DEV]);
});

test('they are removed with the stack', async () => {
  const { store, backend } = await newStack();
  await backend.bucket.keepDigests(DEV, Buffer.from('one'));
  await backend.remove(DEV);
  expect(await keysOf(store)).not.toContain(KEY);
});

test('a renamed stack begins without them', async () => {
  const { store, backend } = await newStack();
  const held = await lease(backend);
  const log = await held.begin(START);
  await log.store.append(new Recorder().creates(root, providerEntry, thing('a')));
  await log.finish({ result: 'succeeded', resourceChanges: { create: 3 } });
  await held.release();
  await backend.bucket.keepDigests(DEV, Buffer.from('one'));
  const renamed = { ...DEV, stack: 'prod' };
  await backend.rename(DEV, renamed);
  expect(await backend.bucket.digests(renamed)).toBeUndefined();
  expect(await keysOf(store)).not.toContain(KEY);
});
