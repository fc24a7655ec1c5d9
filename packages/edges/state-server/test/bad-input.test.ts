import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { S, endServices, resource, startTestService, startUpdate, storeTest } from './service.js';
import type { TestService } from './service.js';
import { requestText, sendRaw } from './raw-requests.js';
import type { RawAnswer } from './raw-requests.js';

afterEach(endServices);

const CREATE = '/api/stacks/organization/shop';

async function withUpdate() {
  const service = await startTestService();
  for (const stackName of ['dev', 'prod'])
    await service.call('POST', CREATE, { body: { stackName, tags: { a: 'b' } } });
  return { service, update: await startUpdate(service) };
}

/** Returns everything that a client can see of two stacks. */
async function seen({ call }: TestService): Promise<unknown> {
  const found: unknown[] = [];
  for (const stack of [S, `${S.slice(0, -3)}prod`])
    for (const more of ['', '/export', '/updates']) found.push((await call('GET', `${stack}${more}`)).body);
  return found;
}

function expectRefused(shown: string, { status, body }: RawAnswer, allowed: readonly number[]): void {
  expect([shown, allowed.includes(status) ? 'allowed' : status]).toEqual([shown, 'allowed']);
  expect([shown, body]).toEqual([shown, expect.stringMatching(/^\{.*\}$/)]);
  expect([shown, (JSON.parse(body) as Record<string, unknown>)['code']]).toEqual([shown, status]);
}

storeTest(
  'bytes that are no request, or an ambiguous one, get a body with a code and change nothing',
  async () => {
    const { service } = await withUpdate();
    const before = await seen(service);
    const auth = { authorization: `token ${service.token}` };
    const json = '{"stackName":"smuggled"}';
    const length = String(json.length);
    const inner = requestText(`POST ${CREATE}`, { ...auth, 'content-length': length }, json);
    const rows: readonly (readonly [string, string, readonly number[]])[] = [
      ['no HTTP', 'hello\r\n\r\n', [400]],
      ['a method that is none', requestText('G<>T /api/user', auth), [400]],
      ['another version', 'GET /healthz HTTP/9.9\r\n\r\n', [400]],
      ['no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', [400]],
      ['headers of 64 kB', requestText('GET /api/user', { ...auth, a: 'x'.repeat(65_536) }), [431]],
      ['a line of 64 kB', requestText(`GET /${'x'.repeat(65_536)}`, auth), [431]],
      [
        'two lengths',
        requestText(`POST ${CREATE}`, { ...auth, 'content-length': [length, '5'] }, json),
        [400],
      ],
      [
        'a length and chunks',
        requestText(
          `POST ${CREATE}`,
          { ...auth, 'content-length': '3', 'transfer-encoding': 'chunked' },
          `0\r\n\r\n${inner}`,
        ),
        [400],
      ],
      [
        'a length below zero',
        requestText(`POST ${CREATE}`, { ...auth, 'content-length': '-1' }, json),
        [400],
      ],
      [
        'a chunk without a size',
        requestText(`POST ${CREATE}`, { ...auth, 'transfer-encoding': 'chunked' }, `zz\r\n${json}`),
        [400],
      ],
      ['a header split by a line feed', `GET /api/user HTTP/1.1\r\nhost: x\r\na: b\nc\r\n\r\n`, [400]],
      ['a header split in a name', `GET /api/user HTTP/1.1\r\nhost: x\r\na\r\nb: c\r\n\r\n`, [400]],
      ['NUL in a header', `GET /api/user HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n`, [400]],
      ['NUL in the path', requestText(`GET ${S}\0`, auth), [400, 404]],
    ];
    for (const [shown, bytes, allowed] of rows)
      expectRefused(shown, await sendRaw(service.url, bytes), allowed);
    expect(await seen(service)).toEqual(before);
    expect((await service.call('GET', '/api/stacks/organization/shop/smuggled')).status).toBe(404);
  },
);

storeTest(
  'odd segments in each place of a path are refused, and answers have no header of the client',
  async () => {
    const { service, update } = await withUpdate();
    const before = await seen(service);
    const auth = { authorization: `token ${service.token}` };
    const odd = [
      '%00',
      '..',
      '%2e%2e',
      '%2e%2e%2f%2e%2e',
      '%2f',
      '%5c',
      '',
      '.',
      '%0d%0aset-cookie:a=b',
      '__proto__',
    ];
    const segments = `${update.route}/events`.split('/').slice(1);
    for (let place = 0; place < segments.length; place += 1)
      for (const each of odd) {
        const path = `/${segments.map((segment, index) => (index === place ? each : segment)).join('/')}`;
        const answer = await sendRaw(service.url, requestText(`GET ${path}`, auth));
        expectRefused(path, answer, [400, 404]);
        expect(answer.body.toLowerCase()).not.toContain('\r\nset-cookie');
      }
    for (const path of [`/${S}`, `${S}//`, `//evil.test${S}`, `${S}?a=//b/../c`, `http://evil.test${S}x`]) {
      const answer = await sendRaw(service.url, requestText(`GET ${path}`, auth));
      if (path.includes('?a=')) expect(answer.status).toBe(200);
      else expectRefused(path, answer, [400, 404]);
    }
    expect(await seen(service)).toEqual(before);
  },
);

storeTest(
  'bodies beyond the limits, deep, with odd numbers and names are refused and change nothing',
  async () => {
    const { service, update } = await withUpdate();
    const before = await seen(service);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const state = (more: string): string =>
      `{"version":3,"deployment":{"manifest":{"time":"2030-01-01T00:00:00Z"}${more}}}`;
    const entry = (more: object): string =>
      JSON.stringify({
        entries: [
          { ...{ version: 1, kind: 1, sequenceID: 1, operationID: 1, state: resource('a') }, ...more },
        ],
      });
    const journal = `${update.route}/journalentries`;
    const holder = update.auth;
    const rows: readonly (readonly [string, string, string, string, readonly number[], string?])[] = [
      ['100 MB in a small body', 'POST', `${S}/rename`, ' '.repeat(100_000_000), [413]],
      ['a bomb', 'PATCH', journal, ' '.repeat(60_000_000), [413], holder],
      ['a deep tag', 'PATCH', `${S}/tags`, `{"a":${deep}}`, [400]],
      ['a deep entry', 'PATCH', journal, `{"entries":[${deep}]}`, [400], holder],
      ['a deep state', 'POST', `${S}/import`, state(`,"a":${deep}`), [400, 409]],
      ['a kind that is none', 'PATCH', journal, entry({ kind: 10 }), [400], holder],
      ['version 2', 'PATCH', journal, entry({ version: 2 }), [400], holder],
      ['an index beyond the base', 'PATCH', journal, entry({ removeOld: 7 }), [400], holder],
      ['an unknown operation', 'PATCH', journal, entry({ removeNew: 9 }), [400], holder],
      [
        'an id beyond doubles',
        'PATCH',
        journal,
        entry({}).replace('"sequenceID":1', '"sequenceID":1e999'),
        [400],
        holder,
      ],
      [
        'an inexact id',
        'PATCH',
        journal,
        entry({}).replace('"sequenceID":1', '"sequenceID":9007199254740993'),
        [400],
        holder,
      ],
      ['a version of a state beyond doubles', 'POST', `${S}/import`, state('').replace('3', '1e999'), [400]],
      ['__proto__ as a tag', 'PATCH', `${S}/tags`, '{"__proto__":{"polluted":1}}', [400]],
      [
        'a lease beyond the longest',
        'POST',
        `${update.route}/renew_lease`,
        '{"duration":1e9}',
        [400],
        holder,
      ],
      ['ciphertext that is truncated', 'POST', `${S}/decrypt`, '{"ciphertext":"AQID"}', [400]],
      ['ciphertext that is no base64', 'POST', `${S}/decrypt`, '{"ciphertext":"%%"}', [400]],
      ['a status that is none', 'POST', `${update.route}/complete`, '{"status":"fine"}', [400], holder],
    ];
    for (const [shown, method, path, raw, allowed, auth] of rows) {
      const gzip = shown === 'a bomb';
      const { status, text } = await service.call(method, path, { raw, gzip, ...(auth && { auth }) });
      expectRefused(shown, { status, body: text }, allowed);
    }
    const stacked = gzipSync(gzipSync('{}'));
    for (const encoding of ['gzip, gzip', 'gzip,identity', 'br', 'zstd']) {
      const head = {
        authorization: holder,
        'content-encoding': encoding,
        'content-length': String(stacked.length),
      };
      const answer = await sendRaw(service.url, requestText(`PATCH ${journal}`, head), stacked);
      expectRefused(encoding, answer, [415]);
    }
    expect(await seen(service)).toEqual(before);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

storeTest(
  'tokens of another update, stack and kind, and calls of an update that ended, are refused',
  async () => {
    const { service, update } = await withUpdate();
    const other = await startUpdate(service, { stack: 'prod' });
    const state = { version: 3, deployment: { manifest: {}, resources: [] } };
    const calls: readonly (readonly [string, string, object])[] = [
      ['PATCH', 'journalentries', { entries: [] }],
      ['PATCH', 'checkpoint', state],
      ['POST', 'events/batch', { events: [] }],
      ['POST', 'renew_lease', { duration: 300 }],
      ['POST', 'complete', { status: 'succeeded' }],
    ];
    const refused = async (auth: string, route: string, statuses: readonly number[]): Promise<void> => {
      for (const [method, path, body] of calls) {
        const { status, text } = await service.call(method, `${route}/${path}`, { auth, body });
        expectRefused(`${path} ${auth.slice(0, 12)}`, { status, body: text }, statuses);
      }
    };
    const before = await seen(service);
    await refused(other.auth, update.route, [403]);
    await refused(`token ${service.token}`, update.route, [403]);
    await refused(update.auth, update.route.replace('/dev/', '/prod/'), [404]);
    await refused(update.auth, update.route.replace(update.id, other.id), [403, 404]);
    expect(await seen(service)).toEqual(before);
    await service.call('POST', `${update.route}/complete`, { auth: update.auth, body: { status: 'failed' } });
    const ended = await seen(service);
    await refused(update.auth, update.route, [409]);
    expect(await seen(service)).toEqual(ended);
  },
);

storeTest('clients that send slowly are ended with 408, and the others are served meanwhile', async () => {
  const slow = { headersMs: 300, requestMs: 600, checkMs: 50 };
  const service = await startTestService(undefined, { slow });
  const { hostname, port } = new URL(service.url);
  const open = Array.from({ length: 50 }, () => connect({ host: hostname, port: Number(port) }));
  const head = requestText('GET /api/user', {}).slice(0, -2);
  const started = requestText(`POST ${CREATE}`, { 'content-length': '10' }, '{');
  const answers = [sendRaw(service.url, head), sendRaw(service.url, started)];
  const trickled = trickle(service.url, head);
  expect((await service.call('GET', '/api/user')).status).toBe(200);
  expect(await trickled).toMatch(/^HTTP\/1\.1 408 /);
  const [headers, body] = await Promise.all(answers);
  expectRefused('headers', headers as RawAnswer, [408]);
  // A caller without a token is refused before its body has come.
  expectRefused('body', body as RawAnswer, [401]);
  const auth = { authorization: `token ${service.token}`, 'content-length': '10' };
  expectRefused('body', await sendRaw(service.url, requestText(`POST ${CREATE}`, auth, '{')), [408]);
  for (const each of open) each.destroy();
  expect((await service.call('GET', '/api/user')).status).toBe(200);
});

/** Sends a request byte by byte, over and over, and returns what comes back until the connection is closed. */
function trickle(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let at = 0;
  let answer = '';
  const timer = setInterval(() => socket.write(text[at++] ?? 'x'), 20);
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  socket.on('error', () => undefined);
  return new Promise((resolve) => {
    socket.once('close', () => {
      clearInterval(timer);
      resolve(answer);
    });
  });
}

storeTest('a large body is not read for the token of another update', async () => {
  const { service, update } = await withUpdate();
  const lengths: readonly Readonly<Record<string, string>>[] = [
    { 'content-length': '200000000' },
    { 'transfer-encoding': 'chunked' },
  ];
  for (const length of lengths) {
    const head = requestText(`PATCH ${update.route}/checkpoint`, {
      authorization: 'update-token x',
      ...length,
    });
    // Nothing of the body is sent.
    expectRefused(JSON.stringify(length), await sendRaw(service.url, head), [403]);
  }
});
