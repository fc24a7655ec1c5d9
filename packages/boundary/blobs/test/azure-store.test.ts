import { randomBytes } from 'node:crypto';
import type { Azurite, HttpServer, ServerFault } from '@cairn/testkit/servers';
import { startAzurite, startFaultProxy } from '@cairn/testkit/servers';
import type { OpenAzureOptions } from '../src/azure/open.js';
import { openAzure } from '../src/azure/open.js';
import { azureFailure } from '../src/azure/azure-failure.js';
import type { BlobStore } from '../src/blob-store.js';
import { blobStoreContract } from '../src/contract-suite.js';
import { impatient, passingFaults, requestsUnder, shownText } from './bucket-faults.js';
import { CALL_NAMES, EVERY_CALL } from './every-call.js';

/** Azurite is slow: `npm run stores` runs every scenario on it; these are the ones in which the server decides. */
const SAMPLE =
  /^(of many ifAbsent|ifVersion on a missing|delete with ifVersion|list returns|copy of a missing|reading from|a fenced)/;

let server: Azurite;
let proxy: HttpServer;
let store: BlobStore | undefined;
const retry = impatient();

/** Returns a refusal in the form of Blob storage. */
const refusal = (status: number, code: string, message: string): ServerFault => ({
  status,
  headers: { 'content-type': 'application/xml', 'x-ms-error-code': code, 'retry-after': '2' },
  body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${message}\nRequestId:1\nTime:2</Message></Error>`,
});

async function open(container: string, options: OpenAzureOptions = {}): Promise<BlobStore> {
  const url = server.address(container, new URL(proxy.url).host);
  store = await openAzure(url, { env: server.env, retry, ...options });
  return store;
}

const failing = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => 'it worked',
    (thrown: unknown) => thrown,
  );

beforeAll(async () => {
  server = await startAzurite();
  proxy = await startFaultProxy(server.url);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  proxy.faults.clear();
  retry.waits.length = 0;
});

describe('containers of Azure', () => {
  const sample = blobStoreContract.filter(({ title }) => SAMPLE.test(title));
  test.each(sample.map((scenario, i) => ({ ...scenario, i })))('$title', async ({ run, i }) => {
    await server.createContainer(`container-${i}`);
    const url = server.address(`container-${i}`).replace('?', '/some/folder?');
    store = await openAzure(url, { env: server.env, pageSize: 3 });
    await run(store);
  });

  test('names of every kind, and a connection string', async () => {
    await server.createContainer('names');
    const env = {
      AZURE_STORAGE_CONNECTION_STRING: `DefaultEndpointsProtocol=http;AccountName=${server.account};AccountKey=${server.key};BlobEndpoint=${server.url}/${server.account};`,
    };
    store = await openAzure('azblob://names/team//shop/', { env });
    for (const key of ['e+f g', 'h%2Fi', 'ü/?#']) await store.put(key, Buffer.from(key));
    expect((await store.list('')).map((row) => row.key)).toEqual(['e+f g', 'h%2Fi', 'ü/?#']);
    expect(Buffer.from((await store.get('ü/?#'))?.bytes ?? []).toString()).toBe('ü/?#');
    expect(await store.copy('h%2Fi', 'c+d')).toEqual({ ok: true });
    expect(Buffer.from((await store.get('c+d'))?.bytes ?? []).toString()).toBe('h%2Fi');
  });

  test('a SAS token with the rights on the container is enough, also for copies and for much', async () => {
    await server.createContainer('signed');
    const { ContainerSASPermissions, StorageSharedKeyCredential, generateBlobSASQueryParameters } =
      await import('@azure/storage-blob');
    const token = generateBlobSASQueryParameters(
      {
        containerName: 'signed',
        permissions: ContainerSASPermissions.parse('racwdl'),
        expiresOn: new Date(Date.now() + 600_000),
      },
      new StorageSharedKeyCredential(server.account, server.key),
    ).toString();
    const env = { AZURE_STORAGE_ACCOUNT: server.account, AZURE_STORAGE_SAS_TOKEN: token };
    store = await openAzure(server.address('signed'), { env });
    const much = randomBytes(3 * 2 ** 20);
    expect((await store.put('a', much, { ifAbsent: true })).ok).toBe(true);
    expect(await store.copy('a', 'd/b')).toEqual({ ok: true });
    expect(Buffer.from((await store.get('d/b'))?.bytes ?? []).equals(much)).toBe(true);
    expect(await store.delete('a')).toEqual({ ok: true, existed: true });
    expect((await store.list('')).map((row) => [row.key, row.size])).toEqual([['d/b', much.length]]);
  });
});

describe('faults of Azure', () => {
  const passing = passingFaults(
    refusal(429, 'TooManyRequests', 'Slow down.'),
    refusal(503, 'ServerBusy', 'The server is busy.'),
  );
  test.each(passing.map(([name, fault], i) => ({ name, fault, i })))(
    '$name is passed over',
    async ({ fault, i }) => {
      await server.createContainer(`faults-${i}`);
      const ours = await open(`faults-${i}`);
      expect(await requestsUnder(fault, proxy.faults, ours)).toEqual([]);
      if (fault.headers?.['retry-after'] === '2')
        expect(Math.min(...retry.waits)).toBeGreaterThanOrEqual(2000);
    },
  );

  test('bytes that were altered on the way are fetched again', async () => {
    await server.createContainer('altered');
    const ours = await open('altered');
    await ours.put('a', Buffer.from('content'));
    proxy.faults.next({
      status: 200,
      headers: {
        etag: '"1"',
        'last-modified': new Date(0).toUTCString(),
        'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
      body: 'c0ntent',
    });
    expect(Buffer.from((await ours.get('a'))?.bytes ?? []).toString()).toBe('content');
  });

  test('silence ends: the request is given up and made again', async () => {
    await server.createContainer('silence');
    const ours = await open('silence', { timeLimitMs: 100 });
    await ours.put('warm', Buffer.from('x'));
    proxy.faults.next({ delay: 3_000 });
    expect((await ours.put('a', Buffer.from('x'), { ifAbsent: true })).ok).toBe(true);
    proxy.faults.repeat(8, { delay: 3_000, hangUp: 'before' });
    expect(await failing(ours.get('a'))).toMatchObject({
      diagnostics: [{ code: 'CAIRN-STORE-UNAVAILABLE' }],
    });
  });

  test.each<[string, ServerFault, string, string]>([
    [
      'no permission',
      refusal(
        403,
        'AuthorizationPermissionMismatch',
        'This request is not authorized to perform this operation using this permission.',
      ),
      'CAIRN-STORE-DENIED',
      'Storage Blob Data Contributor',
    ],
    [
      'an account that takes no keys',
      refusal(
        403,
        'KeyBasedAuthenticationNotPermitted',
        'Key based authentication is not permitted on this storage account.',
      ),
      'CAIRN-STORE-DENIED',
      'az login',
    ],
    [
      'a SAS token that has ended',
      refusal(
        403,
        'AuthenticationFailed',
        'Signature not valid in the specified time frame: Start [x] - Expiry [y] - Current [z]',
      ),
      'CAIRN-STORE-CREDENTIALS',
      'AZURE_STORAGE_SAS_TOKEN',
    ],
    [
      'a clock that is wrong',
      refusal(403, 'AuthenticationFailed', 'Request date header too old: Sat, 01 Jan 2000 00:00:00 GMT'),
      'CAIRN-STORE-CREDENTIALS',
      'clock',
    ],
    [
      'nobody, where somebody is wanted',
      refusal(401, 'NoAuthenticationInformation', 'Server failed to authenticate the request.'),
      'CAIRN-STORE-CREDENTIALS',
      'az login',
    ],
    [
      "somebody else's lease",
      refusal(412, 'LeaseIdMissing', 'There is currently a lease on the blob.'),
      'CAIRN-STORE-DENIED',
      'lease break',
    ],
    ['a policy', refusal(409, 'BlobImmutableDueToPolicy', 'Immutable.'), 'CAIRN-STORE-DENIED', 'Contributor'],
    [
      'a body too large',
      refusal(413, 'RequestBodyTooLarge', 'Too large.'),
      'CAIRN-STORE-FULL',
      'limit of the server',
    ],
    ['a server of another kind', { status: 201, body: 'hello' }, 'CAIRN-STORE-FAILED', 'Check the address'],
  ])('%s is not tried again and is said with what to do', async (_name, fault, code, hint) => {
    const ours = await open('container-0');
    proxy.faults.next(fault);
    const before = proxy.requests.length;
    const thrown = await failing(ours.put('d/a', Buffer.from('x'), { ifAbsent: true }));
    expect(proxy.requests.length - before).toBe(1);
    expect(thrown).toMatchObject({
      diagnostics: [
        {
          code,
          summary: expect.stringContaining('cannot write "d/a"') as unknown,
          hint: expect.stringContaining(hint) as unknown,
        },
      ],
    });
    expect(shownText(thrown)).not.toContain(server.key);
  });

  test.each(CALL_NAMES)('%s: a container that is not there is named', async (what) => {
    const ours = await open('nowhere');
    expect(await failing(EVERY_CALL[what](ours))).toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-STORE-NO-BUCKET',
          hint: expect.stringContaining('az storage container create --name nowhere') as unknown,
        },
      ],
    });
  });

  test('a wrong key is said, and neither it nor a SAS token is shown', async () => {
    const wrong = Buffer.from('a key that opens nothing at all').toString('base64');
    const ours = await open('container-0', { env: { ...server.env, AZURE_STORAGE_KEY: wrong } });
    const thrown = await failing(ours.list(''));
    expect(thrown).toMatchObject({
      diagnostics: [
        { code: 'CAIRN-STORE-CREDENTIALS', hint: expect.stringContaining('AZURE_STORAGE_KEY') as unknown },
      ],
    });
    expect(shownText(thrown)).not.toContain(wrong);

    const token = 'sv=2022-11-02&sr=c&sp=rl&sig=cGxhbnRlZC1zaWduYXR1cmU%3D';
    const env = { AZURE_STORAGE_ACCOUNT: server.account, AZURE_STORAGE_SAS_TOKEN: `?${token}` };
    const signed = await open('container-0', { env });
    for (const fault of [{ status: 400, body: `bad request /x?${token}` }, { hangUp: 'before' as const }]) {
      proxy.faults.repeat(8, fault);
      const shown = shownText(await failing(signed.list('')));
      for (const secret of ['cGxhbnRlZC1zaWduYXR1cmU', 'planted-signature'])
        expect(shown).not.toContain(secret);
      expect(shown).toContain('cannot list');
      proxy.faults.clear();
    }
  });

  test.each([
    ['CredentialUnavailableError', 'credentials-missing', 'az login'],
    ['AggregateAuthenticationError', 'credentials-missing', 'AZURE_STORAGE_KEY'],
    ['AuthenticationError', 'credentials-expired', 'az login'],
  ])('%s of the library', (name, kind, next) => {
    const thrown = Object.assign(new Error('one\n  two'), { name });
    const failure = azureFailure(thrown, 'c', (text) => text);
    expect([failure.kind, failure.message, failure.retryable]).toEqual([kind, 'one two', false]);
    expect(failure.next).toContain(next);
  });
});
