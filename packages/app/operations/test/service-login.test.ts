import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { accountAt, logIn } from '../src/stacks.js';
import type { Ports } from '../src/stacks.js';
import { codeOf, portsOf, project } from './library-box.js';

/** A login to a state service stores the access token and the account that the service names. */

let server: Server;
let url: string;
let asked: (string | undefined)[];
let forms: URLSearchParams[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const { url: target, headers } = request;
    const { authorization } = headers;
    asked.push(`${target} ${authorization}`);
    if (target === '/api/oauth/token') return void exchange(request, response);
    const user = { githubLogin: 'ann', organizations: [{ githubLogin: 'acme', name: 'Acme' }] };
    const [status, body] =
      authorization === 'token odd'
        ? [200, {}]
        : authorization === 'token good'
          ? [200, user]
          : [401, { code: 401, message: 'Unauthorized' }];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  forms = [];
});

/** Exchanges the token `job` for the token `good`. */
async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const form = new URLSearchParams(body);
  forms.push(form);
  const trusted = form.get('subject_token') === 'job';
  response
    .writeHead(trusted ? 200 : 403, { 'content-type': 'application/json' })
    .end(
      JSON.stringify(trusted ? { access_token: 'good' } : { code: 403, message: 'Forbidden: not trusted.' }),
    );
}

function userOf(name: string, env: Ports['env'] = {}): { ports: Ports; file: () => unknown } {
  const cwd = project(name);
  const ports = portsOf(cwd);
  return {
    ports: { ...ports, env: { ...ports.env, CAIRN_BACKEND_URL: undefined, ...env } },
    file: () => JSON.parse(readFileSync(path.join(cwd, '.cairn/credentials.json'), 'utf8')) as unknown,
  };
}

test('the token of the environment is stored with its account, under the address without a slash', async () => {
  const { ports, file } = userOf('stated', { PULUMI_ACCESS_TOKEN: 'good' });
  const now = new Date('2030-01-01T00:00:00Z');
  expect(await logIn({ ...ports, now: () => now }, {}, `${url}/`)).toEqual({ url, username: 'ann' });
  expect(file()).toEqual({
    current: url,
    accessTokens: { [url]: 'good' },
    accounts: {
      [url]: {
        accessToken: 'good',
        username: 'ann',
        organizations: ['acme'],
        lastValidatedAt: '2030-01-01T00:00:00.000Z',
      },
    },
  });
  expect(asked).toEqual(['/api/user token good']);
  const stored = { ...ports, env: { ...ports.env, PULUMI_ACCESS_TOKEN: undefined } };
  expect(await accountAt(stored, url)).toEqual({ username: 'ann', organizations: ['acme'] });
  const other = { ...ports, env: { ...ports.env, PULUMI_ACCESS_TOKEN: 'bad' } };
  expect(await codeOf(accountAt(other, url))).toBe('CAIRN-STORE-CREDENTIALS');
  expect(asked).toEqual(['/api/user token good', '/api/user token bad']);
});

test('a stored token that the service refuses by now is asked for again', async () => {
  const { ports, file } = userOf('asked');
  expect(await codeOf(logIn(ports, {}, url))).toBe('CAIRN-STORE-CREDENTIALS');
  expect(asked).toEqual([]);
  const give = (token: string | undefined) => () => Promise.resolve(token);
  expect(await logIn(ports, {}, url, { ask: give('good') })).toEqual({ url, username: 'ann' });
  expect(await logIn(ports, {}, url)).toEqual({ url, username: 'ann' });
  const credentials = path.join(ports.cwd, '.cairn/credentials.json');
  const text = readFileSync(credentials, 'utf8');
  writeFileSync(credentials, text.replaceAll('good', 'old'));
  expect(await codeOf(logIn(ports, {}, url))).toBe('CAIRN-STORE-CREDENTIALS');
  expect(await codeOf(logIn(ports, {}, url, { ask: give(undefined) }))).toBe('CAIRN-STORE-CREDENTIALS');
  expect(JSON.stringify(file())).toContain('"old"');
  expect(await logIn(ports, {}, url, { ask: give('good') })).toEqual({ url, username: 'ann' });
  expect(JSON.stringify(file())).not.toContain('"old"');
});

test('what is no state service is no login', async () => {
  const { ports, file } = userOf('odd', { CAIRN_ACCESS_TOKEN: 'odd' });
  expect(await codeOf(logIn(ports, {}, url))).toBe('CAIRN-STORE-FAILED');
  expect(file).toThrow('ENOENT');
});

test('elsewhere the user is the one of this machine', async () => {
  const { ports } = userOf('local');
  expect((await accountAt(ports, 'file:///states')).organizations).toEqual([]);
  expect(await codeOf(accountAt(ports, url))).toBe('CAIRN-STORE-CREDENTIALS');
});

test('a token of an issuer is exchanged for one of the service, whatever other tokens there are', async () => {
  const { ports, file } = userOf('exchanged', { CAIRN_ACCESS_TOKEN: 'bad' });
  const exchange = { organization: 'acme', scope: 'team:ops', token: 'job', expiration: 900 };
  expect(await logIn(ports, {}, url, { exchange })).toEqual({ url, username: 'ann' });
  expect(file()).toMatchObject({ accessTokens: { [url]: 'good' } });
  expect(asked).toEqual(['/api/oauth/token undefined', '/api/user token good']);
  expect(Object.fromEntries(forms[0] ?? [])).toEqual({
    ...{ audience: 'urn:pulumi:org:acme', scope: 'team:ops', subject_token: 'job', expiration: '900' },
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:pulumi:token-type:access_token:team',
    subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
  });
  const untrusted = { exchange: { ...exchange, token: 'other' } };
  expect(await codeOf(logIn(ports, {}, url, untrusted))).toBe('CAIRN-STORE-CREDENTIALS');
});
