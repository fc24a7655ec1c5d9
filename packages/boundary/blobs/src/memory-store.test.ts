import { blobStoreContract } from './contract-suite.js';
import { memoryBlobStore } from './memory-store.js';

describe('memory store [STORE-2]', () => {
  test.each(blobStoreContract)('$title', async ({ run }) => run(memoryBlobStore()));

  test('takes modification times from the clock it is given', async () => {
    let now = 1000;
    const store = memoryBlobStore({ now: () => now });
    await store.put('a', Buffer.from('x'));
    now = 2000;
    await store.put('b', Buffer.from('x'));
    expect((await store.list('')).map((row) => row.modified)).toEqual([1000, 2000]);
  });
});
