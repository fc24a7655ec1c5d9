import { s3ErrorBody, startS3Server } from '@cairn/testkit/servers';
import type { S3Server, S3ServerOptions, ServerFault } from '@cairn/testkit/servers';
import type { BlobStore } from '../src/blob-store.js';
import { openBlobStore } from '../src/open.js';

const saved = { ...process.env };
const bytes = (text: string): Uint8Array => Buffer.from(text);
let server: S3Server;
let store: BlobStore | undefined;

async function open(options: S3ServerOptions = {}, more: Record<string, string> = {}): Promise<BlobStore> {
  server = await startS3Server(options);
  Object.assign(process.env, server.env);
  store = await openBlobStore(server.bucketUrl('bucket', 'p', more));
  return store;
}

async function textAt(key: string): Promise<string | undefined> {
  const blob = await store?.get(key);
  return blob && Buffer.from(blob.bytes).toString();
}

const failure = async (action: Promise<unknown> | undefined): Promise<unknown> =>
  action?.then(
    () => 'it succeeded',
    (thrown: unknown) => thrown,
  );

afterEach(async () => {
  await store?.close();
  store = undefined;
  await server.close();
  process.env = { ...saved };
});

const xml = (status: number, code: string): ServerFault => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: s3ErrorBody(code, `${code} it is`),
});

describe('what passes is tried again', () => {
  test.each<[string, ServerFault]>([
    ['the server asks for less', { ...xml(503, 'SlowDown'), headers: { 'retry-after': '0' } }],
    ['too many requests', { status: 429 }],
    ['an error of the server', xml(500, 'InternalError')],
    ['a gateway without its server', { status: 502 }],
    ['two writers at once', xml(409, 'ConditionalRequestConflict')],
    ['a connection that is cut before', { hangUp: 'before' }],
    ['a connection that is cut after', { hangUp: 'after' }],
    ['an answer that breaks off', { truncate: 3 }],
  ])('%s', async (_title, fault) => {
    const opened = await open();
    server.faults.next(fault);
    expect(await opened.put('a', bytes('one'), { ifAbsent: true })).toMatchObject({ ok: true });
    server.faults.next(fault);
    expect(await textAt('a')).toBe('one');
    server.faults.next(fault);
    expect(await opened.list('')).toHaveLength(1);
    server.faults.next(fault);
    expect(await opened.copy('a', 'b')).toEqual({ ok: true });
    server.faults.next(fault);
    expect(await opened.delete('a')).toEqual({ ok: true, existed: true });
    expect(server.faults.pending).toEqual([]);
  });
});

describe('what does not is told', () => {
  test.each<[string, ServerFault, string, string]>([
    ['no right', xml(403, 'AccessDenied'), 'CAIRN-STORE-DENIED', 'permission is denied'],
    ['credentials that have expired', xml(400, 'ExpiredToken'), 'CAIRN-STORE-CREDENTIALS', 'expired'],
    ['a key that is not known', xml(403, 'InvalidAccessKeyId'), 'CAIRN-STORE-CREDENTIALS', 'not accepted'],
    ['no bucket', xml(404, 'NoSuchBucket'), 'CAIRN-STORE-NO-BUCKET', 'no such bucket'],
    ['a quota', xml(403, 'QuotaExceeded'), 'CAIRN-STORE-FULL', 'quota'],
    ['an object that is too large', xml(400, 'EntityTooLarge'), 'CAIRN-STORE-FULL', 'too large'],
    ['anything else', xml(400, 'MalformedXML'), 'CAIRN-STORE-FAILED', 'reported an error'],
  ])("%s: what was done, the server's words, what to do", async (_title, fault, code, because) => {
    const opened = await open();
    const said = /<Message>(.*)<\/Message>/.exec(String(fault.body))?.[1];
    server.faults.next(fault);
    expect(await failure(opened.put('a', bytes('one')))).toMatchObject({
      diagnostics: [
        {
          code,
          summary: expect.stringMatching(new RegExp(`^cannot write "a": .*${because}`)) as unknown,
          causes: [expect.stringContaining(said ?? '?') as unknown],
          hint: expect.stringContaining('What was stored before is intact') as unknown,
        },
      ],
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a clock that is wrong is corrected by the answer, once', async () => {
    const opened = await open();
    server.faults.next(xml(403, 'RequestTimeTooSkewed'));
    expect(await opened.put('a', bytes('one'))).toMatchObject({ ok: true });
    expect(server.requests).toHaveLength(2);
  });
});

test('a conditional put whose answer is lost is ours when its bytes are there, and is not when others are', async () => {
  const opened = await open();
  server.faults.next({ match: 'PUT', hangUp: 'after' });
  const put = await opened.put('lock', bytes('mine'), { ifAbsent: true });
  expect(put).toEqual({ ok: true, version: (await opened.get('lock'))?.version });
  server.faults.next({ match: 'PUT', hangUp: 'before' });
  expect(await opened.put('lock', bytes('yours'), { ifAbsent: true })).toEqual({
    ok: false,
    reason: 'exists',
  });
  if (!put.ok) return;
  server.faults.next({ match: 'PUT', hangUp: 'after' });
  expect(await opened.put('lock', bytes('mine again'), { ifVersion: put.version })).toMatchObject({
    ok: true,
  });
  expect(await textAt('lock')).toBe('mine again');
});

test('appends whose answers are lost, throttled or refused for a while are durable once and in order', async () => {
  const opened = await open();
  const result = await opened.openSegment('j/0001', { create: 'exclusive' });
  if (!result.ok) throw new Error('exists');
  const match = /PUT .*0001\.p/;
  server.faults.next(
    { match, hangUp: 'after' },
    { match, ...xml(503, 'SlowDown') },
    { match, hangUp: 'before' },
  );
  for (let i = 0; i < 10; i += 1) void result.segment.append(bytes(`${i};`));
  await result.segment.append(bytes('end'));
  expect(await textAt('j/0001')).toBe('0;1;2;3;4;5;6;7;8;9;end');
  await result.segment.close();
});

test.each(['ignored', 'refused'] as const)(
  'conditions that are %s are found out, told once, and looked after by reading first',
  async (conditions) => {
    const opened = await open({ conditions });
    const [warning, ...more] = (await opened.checkWrites?.('scratch')) ?? [];
    expect(warning).toMatchObject({ code: 'CAIRN-STORE-UNCONDITIONAL', severity: 'warning' });
    expect(more).toEqual([]);
    expect(await opened.put('a', bytes('one'), { ifAbsent: true })).toMatchObject({ ok: true });
    expect(await opened.put('a', bytes('two'), { ifAbsent: true })).toEqual({ ok: false, reason: 'exists' });
    expect(await opened.put('a', bytes('two'), { ifVersion: 'other' })).toEqual({
      ok: false,
      reason: 'changed',
    });
    expect(await textAt('a')).toBe('one');
  },
);

test('a server that refuses conditions is worked with also when nobody has asked before', async () => {
  const opened = await open({ conditions: 'refused' });
  expect(await opened.put('a', bytes('one'), { ifAbsent: true })).toMatchObject({ ok: true });
  expect(await opened.put('a', bytes('two'), { ifAbsent: true })).toEqual({ ok: false, reason: 'exists' });
});

test('asking again whether conditions hold takes one request', async () => {
  const opened = await open();
  await opened.checkWrites?.('scratch');
  const again = await openBlobStore(server.bucketUrl('bucket', 'p'));
  const before = server.requests.length;
  expect(await again.checkWrites?.('scratch')).toEqual([]);
  expect(server.requests.length - before).toBe(1);
  await again.close();
});

describe('parameters of the address', () => {
  test('requests are not signed when they are to be anonymous', async () => {
    const opened = await open({ anonymous: true }, { anonymous: 'true' });
    await opened.put('a', bytes('one'));
    expect(await textAt('a')).toBe('one');
    expect(server.requests.every(({ headers }) => headers['authorization'] === undefined)).toBe(true);
  });

  test('the server is told to encrypt, copies too', async () => {
    const opened = await open({}, { ssetype: 'aws:kms', kmskeyid: 'alias/state' });
    await opened.put('a', bytes('one'));
    await opened.copy('a', 'b');
    const objects = [...(server.buckets.get('bucket')?.values() ?? [])];
    expect(objects.map((object) => object.encryption)).toEqual([
      'aws:kms alias/state',
      'aws:kms alias/state',
    ]);
  });

  test.each([
    [{}, false],
    [{ request_checksum_calculation: 'when_required' }, false],
    [{ request_checksum_calculation: 'when_supported' }, true],
  ])('checksums with %j: %s', async (more, expected) => {
    const opened = await open({}, more);
    await opened.put('a', bytes('one'));
    expect(
      Object.keys(server.requests[0]?.headers ?? {}).some((name) => name.startsWith('x-amz-checksum-')),
    ).toBe(expected);
  });

  test('keys with signs that addresses escape are written, listed, copied and deleted', async () => {
    const opened = await open({ pageSize: 2 });
    const keys = ["a b/c+d/e%20/(f)!*'", 'a b/é/😀', 'a b/x&y=z?q#r'];
    for (const key of keys) {
      await opened.put(key, bytes(key));
      expect(await opened.copy(key, `${key}.bak`)).toEqual({ ok: true });
    }
    const listed = (await opened.list('a b/')).map((row) => row.key);
    expect(new Set(listed)).toEqual(new Set(keys.flatMap((key) => [key, `${key}.bak`])));
    for (const key of listed) expect(await opened.delete(key)).toEqual({ ok: true, existed: true });
    expect(await opened.list('')).toEqual([]);
  });

  test('a delete that depends on a version is decided by the server where it can', async () => {
    const opened = await open({ conditionalDeletes: true });
    const first = await opened.put('a', bytes('one'));
    if (!first.ok) throw new Error(first.reason);
    expect(await opened.delete('a', { ifVersion: first.version })).toEqual({ ok: true, existed: true });
    expect(server.requests.at(-1)?.headers['if-match']).toBe(first.version);
  });
});

test('without credentials the error says that there are none, and where to get them', async () => {
  const opened = await open();
  delete process.env['AWS_ACCESS_KEY_ID'];
  Object.assign(process.env, { AWS_CONFIG_FILE: '/dev/null', AWS_SHARED_CREDENTIALS_FILE: '/dev/null' });
  expect(await failure(opened.get('a'))).toMatchObject({
    diagnostics: [{ code: 'CAIRN-STORE-CREDENTIALS' }],
  });
});
