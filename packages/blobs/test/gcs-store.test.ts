import type { GcsServer } from '@cairn/testkit/servers';
import { startGcsServer } from '@cairn/testkit/servers';
import { blobStoreContract } from '../src/contract-suite.js';
import { openBlobStore } from '../src/open.js';

describe('Cloud Storage, on the server of the testkit', () => {
  let server: GcsServer;
  beforeAll(async () => {
    server = await startGcsServer({ buckets: blobStoreContract.map((_, i) => `bucket-${i}`) });
  });
  afterAll(() => server.close());

  test.each(blobStoreContract.map((scenario, i) => ({ ...scenario, i })))('$title', async ({ run, i }) => {
    const store = await openBlobStore(`gs://bucket-${i}/some/folder`, { env: server.env });
    await run(store);
    await store.close();
  });
});
