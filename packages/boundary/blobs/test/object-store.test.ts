import { blobStoreContract } from '../src/contract-suite.js';
import { ObjectBlobStore } from '../src/object/object-store.js';
import { memoryBucket } from './memory-client.js';

describe.each(['', 'a/b/'])('objects in memory below "%s" [STORE-2]', (prefix) => {
  test.each(blobStoreContract)('$title', async ({ run }) =>
    run(new ObjectBlobStore(memoryBucket().client(), { prefix })),
  );
});
