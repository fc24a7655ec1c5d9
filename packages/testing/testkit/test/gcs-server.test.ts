import { gunzipSync, gzipSync } from 'node:zlib';
import type { GcsServer } from '../src/servers/index.js';
import { startGcsServer } from '../src/servers/index.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
}

let server: GcsServer;

async function ask(
  method: string,
  path: string,
  body?: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const token = server.env['GOOGLE_OAUTH_ACCESS_TOKEN'];
  const init = { method, headers: { authorization: `Bearer ${token}`, ...headers }, body: body ?? null };
  const response = await fetch(server.url + path, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson =
    bytes.length > 0 && response.headers.get('content-type')?.startsWith('application/json') === true;
  const json = (isJson ? JSON.parse(bytes.toString()) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, bytes, json };
}

const upload = (name: string, text: string, query = ''): Promise<Answer> =>
  ask(
    'POST',
    `/upload/storage/v1/b/bucket/o?uploadType=media&name=${encodeURIComponent(name)}${query}`,
    text,
  );
const names = (answer: Answer): unknown =>
  (answer.json['items'] as { name: string }[] | undefined)?.map((item) => item.name);

beforeEach(async () => {
  server = await startGcsServer({ pageSize: 2, rewriteBytes: 4 });
});
afterEach(() => server.close());

describe('the Cloud Storage of tests', () => {
  test('keeps objects with generations that grow, and honours the four conditions', async () => {
    const first = await upload('a/b', 'one', '&ifGenerationMatch=0');
    expect(first.json).toMatchObject({ name: 'a/b', size: '3', crc32c: expect.any(String) as unknown });
    expect((await upload('a/b', 'two', '&ifGenerationMatch=0')).status).toBe(412);
    const generation = String(first.json['generation']);
    const second = await upload('a/b', 'two', `&ifGenerationMatch=${generation}`);
    expect(BigInt(String(second.json['generation']))).toBeGreaterThan(BigInt(generation));
    expect((await ask('DELETE', `/storage/v1/b/bucket/o/a%2Fb?ifGenerationMatch=${generation}`)).status).toBe(
      412,
    );
    const current = String(second.json['generation']);
    expect((await upload('a/b', 'x', `&ifGenerationNotMatch=${current}`)).status).toBe(412);
    expect((await ask('GET', `/storage/v1/b/bucket/o/a%2Fb?ifGenerationNotMatch=${current}`)).status).toBe(
      304,
    );
    expect((await upload('a/b', 'x', '&ifMetagenerationMatch=7')).status).toBe(412);
    expect((await upload('new', 'x', '&ifMetagenerationNotMatch=0')).status).toBe(412);
    expect((await ask('DELETE', '/storage/v1/b/bucket/o/a%2Fb')).status).toBe(204);
    expect((await ask('GET', '/storage/v1/b/bucket/o/a%2Fb?alt=media')).status).toBe(404);
  });

  test('takes an upload in one multipart body and checks the hash it is told', async () => {
    const multipart = (crc32c: string): Promise<Answer> =>
      ask(
        'POST',
        '/upload/storage/v1/b/bucket/o?uploadType=multipart',
        `--=x=\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ name: 'm', crc32c })}\r\n--=x=\r\nContent-Type: text/plain\r\n\r\n123456789\r\n--=x=--`,
        { 'content-type': 'multipart/related; boundary="=x="' },
      );
    expect((await multipart('AAAAAA==')).json).toMatchObject({ error: { code: 400 } });
    // The check value of CRC-32C: e3069283.
    expect((await multipart('4waSgw==')).json).toMatchObject({ size: '9', contentType: 'text/plain' });
    expect((await ask('GET', '/storage/v1/b/bucket/o/m?alt=media')).bytes.toString()).toBe('123456789');
  });

  test('takes an upload in pieces', async () => {
    const begun = await ask('POST', '/upload/storage/v1/b/bucket/o?uploadType=resumable&name=r');
    const session = new URL(begun.headers.get('location') ?? '');
    const piece = (text: string, range: string): Promise<Answer> =>
      ask('PUT', session.pathname + session.search, text, { 'content-range': `bytes ${range}` });
    const first = await piece('abcd', '0-3/*');
    expect([first.status, first.headers.get('range')]).toEqual([308, 'bytes=0-3']);
    expect((await piece('ef', '4-5/6')).json).toMatchObject({ name: 'r', size: '6' });
  });

  test('gives ranges, and unpacks for clients that do not take gzip', async () => {
    await upload('a', 'hello');
    const part = await ask('GET', '/storage/v1/b/bucket/o/a?alt=media', undefined, { range: 'bytes=2-' });
    expect([part.status, part.bytes.toString(), part.headers.get('content-range')]).toEqual([
      206,
      'llo',
      'bytes 2-4/5',
    ]);
    expect(
      (await ask('GET', '/download/storage/v1/b/bucket/o/a', undefined, { range: 'bytes=5-' })).status,
    ).toBe(416);
    const packed = gzipSync('unpacked');
    server.objects.write('bucket', 'z', packed, { contentEncoding: 'gzip' }, new URLSearchParams());
    const plain = await ask('GET', '/storage/v1/b/bucket/o/z?alt=media', undefined, {
      'accept-encoding': 'identity',
    });
    expect([plain.bytes.toString(), plain.headers.get('content-encoding')]).toEqual(['unpacked', null]);
    const stored = await ask('GET', '/storage/v1/b/bucket/o/z?alt=media', undefined, {
      'accept-encoding': 'gzip',
    });
    expect(stored.headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(packed).toString()).toBe(stored.bytes.toString());
  });

  test('lists in pages, with folders', async () => {
    for (const name of ['a/1', 'a/2', 'a/3', 'b']) await upload(name, name);
    const page = await ask('GET', '/storage/v1/b/bucket/o?prefix=a/');
    expect(names(page)).toEqual(['a/1', 'a/2']);
    const rest = await ask(
      'GET',
      `/storage/v1/b/bucket/o?prefix=a/&pageToken=${String(page.json['nextPageToken'])}`,
    );
    expect([names(rest), rest.json['nextPageToken']]).toEqual([['a/3'], undefined]);
    const folders = await ask('GET', '/storage/v1/b/bucket/o?delimiter=/');
    expect([names(folders), folders.json['prefixes']]).toEqual([['b'], ['a/']]);
  });

  test('copies at once or in several calls, and composes', async () => {
    await upload('a', 'hello');
    const path = '/storage/v1/b/bucket/o/a/rewriteTo/b/bucket/o/c%2Fd';
    const first = await ask('POST', path);
    expect(first.json).toMatchObject({ done: false, totalBytesRewritten: '4' });
    const second = await ask('POST', `${path}?rewriteToken=${String(first.json['rewriteToken'])}`);
    expect(second.json).toMatchObject({ done: true, resource: { name: 'c/d', size: '5' } });
    expect((await ask('POST', '/storage/v1/b/bucket/o/none/copyTo/b/bucket/o/x')).status).toBe(404);
    const sources = JSON.stringify({ sourceObjects: [{ name: 'a' }, { name: 'c/d' }] });
    expect((await ask('POST', '/storage/v1/b/bucket/o/both/compose', sources)).json).toMatchObject({
      size: '10',
    });
  });

  test('lets in who has a token, and nobody whose token has ended', async () => {
    const nobody = await fetch(`${server.url}/storage/v1/b/bucket/o`);
    expect(nobody.status).toBe(401);
    server.identity.expireAll();
    expect((await ask('GET', '/storage/v1/b/bucket/o')).status).toBe(401);
    const forged = new URLSearchParams({ subject_token: 'forged' });
    expect((await fetch(`${server.url}/token`, { method: 'POST', body: forged })).status).toBe(400);
  });

  test('plays its faults once, in order, on the requests they are meant for', async () => {
    server.faults.next(
      { match: 'POST', hangUp: 'after' },
      { match: /^GET .*alt=media/, truncate: 2 },
      { status: 503, headers: { 'retry-after': '2' }, body: 'busy' },
    );
    await expect(upload('a', 'hello')).rejects.toThrow();
    await expect(ask('GET', '/storage/v1/b/bucket/o/a?alt=media')).rejects.toThrow();
    const busy = await ask('GET', '/storage/v1/b/bucket/o/a');
    expect([busy.status, busy.headers.get('retry-after'), busy.bytes.toString()]).toEqual([503, '2', 'busy']);
    expect((await ask('GET', '/storage/v1/b/bucket/o/a?alt=media')).bytes.toString()).toBe('hello');
    expect([server.faults.pending.length, server.requests.length]).toEqual([0, 4]);
  });
});
