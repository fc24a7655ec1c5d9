import { startS3Server } from '@cairn/testkit/servers';
import type { S3Server, S3ServerOptions } from '@cairn/testkit/servers';
import { blobStoreContract } from '../src/contract-suite.js';
import { openBlobStore } from '../src/open.js';
import type { BlobStore } from '../src/blob-store.js';

const saved = { ...process.env };
let server: S3Server;
let store: BlobStore | undefined;

async function open(options: S3ServerOptions = {}, prefix = ''): Promise<BlobStore> {
  server = await startS3Server(options);
  Object.assign(process.env, server.env);
  store = await openBlobStore(server.bucketUrl('bucket', prefix));
  return store;
}

afterEach(async () => {
  await store?.close();
  store = undefined;
  await server.close();
  process.env = { ...saved };
});

describe('objects of an S3 server', () => {
  test.each(blobStoreContract)('$title', async ({ run }) => run(await open({ pageSize: 5 }, 'team/shop')));
});

test('copies of one version that begin together ask for it once, and later ones again', async () => {
  const blobs = await open();
  const written = await blobs.put('state', Buffer.from('one'));
  if (!written.ok) throw new Error('the put was refused');
  const { version } = written;
  const looks = (): number => server.requests.filter(({ method }) => method === 'HEAD').length;
  const copyTo = (name: string) => blobs.copy('state', name, { ifVersion: version });
  expect(await Promise.all([copyTo('a'), copyTo('b')])).toEqual([{ ok: true }, { ok: true }]);
  expect(looks()).toBe(1);
  await blobs.put('state', Buffer.from('two'));
  expect(await Promise.all([copyTo('a'), copyTo('b')])).toEqual([
    { ok: false, reason: 'changed' },
    { ok: false, reason: 'changed' },
  ]);
  expect(looks()).toBe(2);
});
