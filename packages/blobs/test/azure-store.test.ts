import type { Azurite } from '@cairn/testkit/servers';
import { startAzurite } from '@cairn/testkit/servers';
import { blobStoreContract } from '../src/contract-suite.js';
import { openBlobStore } from '../src/open.js';

describe('Azure Blob storage, on azurite', () => {
  let server: Azurite;
  beforeAll(async () => {
    server = await startAzurite();
  });
  afterAll(() => server.close());

  test.each(blobStoreContract.map((scenario, i) => ({ ...scenario, i })))('$title', async ({ run, i }) => {
    await server.createContainer(`container-${i}`);
    const url = server.address(`container-${i}`).replace('?', '/some/folder?');
    const store = await openBlobStore(url, { env: server.env });
    await run(store);
    await store.close();
  });
});
