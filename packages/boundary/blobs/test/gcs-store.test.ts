import { randomBytes } from 'node:crypto';
import type { GcsServer, ServerFault } from '@cairn/testkit/servers';
import { startGcsServer } from '@cairn/testkit/servers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BlobStore } from '../src/blob-store.js';
import { blobStoreContract } from '../src/contract-suite.js';
import type { OpenGcsOptions } from '../src/gcs/open.js';
import { identityFailure } from '../src/gcs/gcs-identity.js';
import { openGcs } from '../src/gcs/open.js';
import { openBlobStore } from '../src/open.js';
import { impatient, passingFaults, requestsUnder, shownText } from './bucket-faults.js';
import { CALL_NAMES, EVERY_CALL } from './every-call.js';

let server: GcsServer;
let store: BlobStore | undefined;
let folder: string;
let tokenFile: string;
const retry = impatient();

/** Returns a refusal in the form of the JSON API. */
const refusal = (status: number, reason: string, message: string): ServerFault => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', 'retry-after': '2' },
  body: JSON.stringify({ error: { code: status, message, errors: [{ message, domain: 'global', reason }] } }),
});

async function open(url: string, options: OpenGcsOptions = {}): Promise<BlobStore> {
  store = await openGcs(url, { env: server.env, retry, ...options });
  return store;
}

const failing = async (run: Promise<unknown>): Promise<unknown> => {
  const outcome = await run.then(
    () => 'it worked',
    (thrown: unknown) => thrown,
  );
  return outcome;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-gcs-'));
  tokenFile = join(folder, 'token');
  server = await startGcsServer({
    buckets: ['bucket', ...blobStoreContract.map((_, i) => `bucket-${i}`)],
    rewriteBytes: 4,
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await store?.close();
  store = undefined;
  server.faults.clear();
  server.objects.bucket('bucket').clear();
  retry.waits.length = 0;
});

describe('buckets of Cloud Storage', () => {
  test.each(blobStoreContract.map((scenario, i) => ({ ...scenario, i })))('$title', async ({ run, i }) => {
    store = await openBlobStore(`gs://bucket-${i}/some/folder`, { env: server.env });
    await run(store);
  });

  test('the path of the address is what object names begin with; listings have pages', async () => {
    const inFolder = await open('gs://bucket/team//shop/', { pageSize: 2 });
    for (const key of ['a', 'b/c', 'd', 'e+f g', 'h%2Fi']) await inFolder.put(key, Buffer.from(key));
    expect([...server.objects.bucket('bucket').keys()].sort()[1]).toBe('team/shop/b/c');
    expect((await inFolder.list('')).map((row) => row.key)).toEqual(['a', 'b/c', 'd', 'e+f g', 'h%2Fi']);
    expect(Buffer.from((await inFolder.get('h%2Fi'))?.bytes ?? []).toString()).toBe('h%2Fi');
  });

  test('much goes and comes whole', async () => {
    const ours = await open('gs://bucket');
    const much = randomBytes(3 * 2 ** 20);
    await ours.put('a', much);
    expect(Buffer.from((await ours.get('a'))?.bytes ?? []).equals(much)).toBe(true);
    expect(Buffer.from((await ours.getFrom?.('a', 2 ** 20)) ?? []).equals(much.subarray(2 ** 20))).toBe(true);
  });

  test('objects packed by other tools come as they are stored', async () => {
    const packed = gzipSync('{"version":3}');
    server.objects.write('bucket', 'x.json', packed, { contentEncoding: 'gzip' }, new URLSearchParams());
    const blob = await (await open('gs://bucket')).get('x.json');
    expect(Buffer.from(blob?.bytes ?? []).equals(packed)).toBe(true);
  });

  test('a workload in GOOGLE_CREDENTIALS gets a token and is let in', async () => {
    const env = {
      STORAGE_EMULATOR_HOST: server.url.replace('http://', ''),
      GOOGLE_CREDENTIALS: server.workload(tokenFile),
    };
    const ours = await open('gs://bucket', { env });
    expect((await ours.put('a', Buffer.from('x'))).ok).toBe(true);
    expect(await ours.list('')).toHaveLength(1);
    expect(server.requests.filter((request) => request.target === '/token')).toHaveLength(1);
  });
});

describe('faults of Cloud Storage', () => {
  const passing = passingFaults(
    refusal(429, 'rateLimitExceeded', 'The object exceeded the rate limit for object mutation operations.'),
    refusal(503, 'backendError', 'We encountered an internal error. Please try again.'),
  );
  test.each(passing)('%s is passed over', async (_name, fault) => {
    const ours = await open('gs://bucket');
    expect(await requestsUnder(fault, server.faults, ours)).toEqual([]);
    if (fault.headers?.['retry-after'] === '2') expect(Math.min(...retry.waits)).toBeGreaterThanOrEqual(2000);
  });

  test('a 403 that speaks of a rate is no refusal', async () => {
    const ours = await open('gs://bucket');
    server.faults.next(refusal(403, 'userRateLimitExceeded', 'Too fast.'));
    expect((await ours.put('a', Buffer.from('x'))).ok).toBe(true);
  });

  test('bytes that were altered on the way are sent and fetched again', async () => {
    const ours = await open('gs://bucket');
    server.faults.next(refusal(400, 'invalid', 'Provided CRC32C "x" doesn\'t match calculated CRC32C "y".'));
    expect((await ours.put('a', Buffer.from('content'))).ok).toBe(true);
    server.faults.next({
      status: 200,
      headers: {
        'x-goog-generation': '1',
        'last-modified': new Date(0).toUTCString(),
        'x-goog-hash': 'crc32c=AAAAAA==',
      },
      body: 'c0ntent',
    });
    expect(Buffer.from((await ours.get('a'))?.bytes ?? []).toString()).toBe('content');
  });

  test('silence ends: the request is given up and made again', async () => {
    const ours = await open('gs://bucket', { timeLimitMs: 50 });
    server.faults.next({ delay: 3_000 });
    expect((await ours.put('a', Buffer.from('x'), { ifAbsent: true })).ok).toBe(true);
    server.faults.repeat(8, { delay: 3_000, hangUp: 'before' });
    expect(await failing(ours.get('a'))).toMatchObject({
      diagnostics: [{ code: 'CAIRN-STORE-UNAVAILABLE' }],
    });
  });

  test.each<[string, ServerFault, string, string, string]>([
    [
      'no permission',
      refusal(
        403,
        'forbidden',
        'me@x does not have storage.objects.create access to the Google Cloud Storage object.',
      ),
      'CAIRN-STORE-DENIED',
      'me@x does not have storage.objects.create access',
      'roles/storage.objectUser',
    ],
    [
      'a token that has ended',
      refusal(401, 'authError', 'Invalid Credentials'),
      'CAIRN-STORE-CREDENTIALS',
      'Invalid Credentials',
      'gcloud auth print-access-token',
    ],
    [
      'nobody, where somebody is wanted',
      refusal(401, 'required', 'Anonymous caller does not have storage.objects.get access.'),
      'CAIRN-STORE-CREDENTIALS',
      'Anonymous caller',
      'GOOGLE_CREDENTIALS',
    ],
    [
      'an object too large',
      refusal(413, 'uploadTooLarge', 'Too large.'),
      'CAIRN-STORE-FULL',
      'Too large.',
      'limit of the server',
    ],
    [
      'the page of a log-in',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome to our WLAN' },
      'CAIRN-STORE-FAILED',
      '<html>Welcome',
      'log-in pages',
    ],
  ])('%s is not tried again and is said with what to do', async (_name, fault, code, said, hint) => {
    const ours = await open('gs://bucket');
    server.faults.next(fault);
    const before = server.requests.length;
    const thrown = await failing(ours.put('d/a', Buffer.from('x')));
    expect(server.requests.length - before).toBe(1);
    expect(thrown).toMatchObject({
      diagnostics: [
        {
          code,
          summary: expect.stringContaining('cannot write "d/a"') as unknown,
          causes: [expect.stringMatching(new RegExp(`^gs://bucket answered: .*${escaped(said)}`)) as unknown],
          hint: expect.stringContaining(hint) as unknown,
        },
      ],
    });
    expect(shownText(thrown)).not.toContain(server.env['GOOGLE_OAUTH_ACCESS_TOKEN']);
  });

  test.each(CALL_NAMES)('%s: a bucket that is not there is named', async (what) => {
    const ours = await open('gs://nowhere/x');
    expect(await failing(EVERY_CALL[what](ours))).toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-STORE-NO-BUCKET',
          hint: expect.stringContaining('gcloud storage buckets create gs://nowhere') as unknown,
        },
      ],
    });
  });

  test('credentials that are not accepted are told from missing ones, and not shown', async () => {
    const env = { STORAGE_EMULATOR_HOST: server.url, GOOGLE_CREDENTIALS: server.workload(tokenFile) };
    writeFileSync(tokenFile, 'not-what-the-server-knows');
    const thrown = await failing((await open('gs://bucket', { env })).get('a'));
    expect(thrown).toMatchObject({
      diagnostics: [
        {
          code: 'CAIRN-STORE-CREDENTIALS',
          summary: expect.stringContaining('expired or are wrong') as unknown,
          causes: [expect.stringContaining('The workload is not known.') as unknown],
          hint: expect.stringContaining('gcloud auth application-default login') as unknown,
        },
      ],
    });
    expect(shownText(thrown)).not.toContain('not-what-the-server-knows');
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      'Could not load the default credentials. Browse to https://cloud.google.com for more information.',
      {},
      'credentials-missing',
    ],
    ['invalid_grant: Invalid JWT Signature.', { response: { status: 400 } }, 'credentials-expired'],
    [
      'invalid_grant: Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe.',
      { response: { status: 400 } },
      'clock-skew',
    ],
    ['Internal error', { response: { status: 502 } }, 'unavailable'],
    ['request to x failed, reason: getaddrinfo EAI_AGAIN x', { code: 'EAI_AGAIN' }, 'unavailable'],
    ['socket hang up', { code: 'ECONNRESET' }, 'unavailable'],
    ['The incoming JSON object does not contain a client_email field', {}, 'credentials-expired'],
  ])('"%s" of the library', (message, more, kind) => {
    const failure = identityFailure(Object.assign(new Error(message), more));
    expect([failure.kind, failure.message, failure.cause]).toEqual([kind, message, undefined]);
    expect(failure.retryable).toBe(kind === 'unavailable');
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
