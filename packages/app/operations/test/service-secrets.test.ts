import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import path from 'node:path';
import { operate, withPrepared } from '../src/index.js';
import {
  changeSecretsProvider,
  configTarget,
  configValue,
  exportStack,
  importStack,
  openStackFile,
  setConfigValues,
  stackOutputs,
} from '../src/stacks.js';
import type { Ports } from '../src/stacks.js';
import { codeOf, inStack, portsOf, project } from './library-box.js';
import { withBackend } from '../src/access/open-backend.js';

/** A stack whose secrets a state service keeps the key of is used like any other, wherever its state is. */

let server: Server;
let url: string;
let calls: string[];

async function bodyOf(request: IncomingMessage): Promise<Record<string, string[]>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(gunzipSync(Buffer.concat(chunks)).toString('utf8')) as Record<string, string[]>;
}

/** Encrypts by turning the text around. */
function answer(route: string, { plaintexts = [], ciphertexts = [] }: Record<string, string[]>): object {
  const around = (text: string): string => [...text].reverse().join('');
  if (route === 'batch-encrypt')
    return {
      ciphertexts: plaintexts.map((each) => Buffer.from(around(atob(each))).toString('base64')),
    };
  const opened = ciphertexts.map((each) => [each, Buffer.from(around(atob(each))).toString('base64')]);
  return { plaintexts: Object.fromEntries(opened) as object };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const route = request.url?.replace('/api/stacks/acme/shop/dev/', '') ?? '';
      const texts = Object.values(body).flat();
      calls.push(`${route} ${texts.length}`);
      const allowed = request.headers.authorization === 'token good';
      response
        .writeHead(allowed ? 200 : 403, { 'content-type': 'application/json' })
        .end(JSON.stringify(allowed ? answer(route, body) : { code: 403, message: 'Forbidden: not you' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => (calls = []));

/** Makes a stack whose state names the service. */
async function stackOfService(name: string): Promise<Ports> {
  const ports = portsOf(project(name));
  const env = { ...ports.env, CAIRN_ACCESS_TOKEN: 'good', CAIRN_STACK: 'dev' };
  const own = { ...ports, env };
  const state = JSON.stringify({ url, owner: 'acme', project: 'shop', stack: 'dev' });
  await withBackend(own, {}, undefined, (backend) =>
    backend.create({ project: name, stack: 'dev' }, { type: 'service', state }),
  );
  return own;
}

const SIGNATURE = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };

function document(name: string): Buffer {
  const urn = `urn:pulumi:dev::${name}::pulumi:pulumi:Stack::${name}-dev`;
  const outputs = { key: { ...SIGNATURE, plaintext: '"hush"' }, open: 'x' };
  const root = { urn, custom: false, type: 'pulumi:pulumi:Stack', outputs };
  const manifest = { time: '2030-01-01T00:00:00Z', magic: '', version: '' };
  return Buffer.from(JSON.stringify({ version: 3, deployment: { manifest, resources: [root] } }));
}

function everything(cwd: string): string {
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8')).join('\n');
}

test('configuration and state are sealed and opened by the service, and a passphrase can replace it', async () => {
  const ports = await stackOfService('shop');
  const stack = await openStackFile(ports, {});
  await setConfigValues(stack, [
    { target: configTarget('token', stack.project, false), secret: true, tree: 'quiet' },
  ]);
  expect(readFileSync(path.join(ports.cwd, 'Cairn.dev.yaml'), 'utf8')).toBe(
    `config:\n  shop:token:\n    secure: ${Buffer.from('teiuq').toString('base64')}\n`,
  );
  expect(await configValue(await openStackFile(ports, {}), 'token')).toMatchObject({ value: 'quiet' });

  await inStack(ports, (open) => importStack(open, document('shop'), { source: 'a document' }));
  const sealed = Buffer.from('"hsuh"').toString('base64');
  expect(await inStack(ports, async (open) => [...(await exportStack(open))].join(''))).toContain(sealed);
  expect(await inStack(ports, (open) => stackOutputs(open, true))).toMatchObject({
    key: { value: 'hush' },
    open: 'x',
  });
  expect(calls).toEqual(['batch-encrypt 1', 'batch-decrypt 1', 'batch-encrypt 1', 'batch-decrypt 1']);

  calls = [];
  await withPrepared(ports, {}, async (prepared) => {
    expect((await operate(prepared, { kind: 'refresh', options: {} })).status).toBe('succeeded');
  });
  // Configuration and state; the key of the digests of goals, and the output that the refresh has read.
  expect(calls).toEqual(['batch-decrypt 1', 'batch-decrypt 1', 'batch-encrypt 1', 'batch-encrypt 1']);

  expect(await inStack(ports, (open) => changeSecretsProvider(open, 'passphrase'))).toBe('passphrase');
  const without = { ...ports, env: { ...ports.env, CAIRN_ACCESS_TOKEN: undefined } };
  expect(await inStack(without, (open) => stackOutputs(open, true))).toMatchObject({
    key: { value: 'hush' },
    open: 'x',
  });
  expect(await configValue(await openStackFile(without, {}), 'token')).toMatchObject({ value: 'quiet' });
  for (const part of ['sealing-', 'hush', 'quiet']) expect(everything(ports.cwd)).not.toContain(part);
});

test('a user whom the service refuses sees what is no secret', async () => {
  const ports = await stackOfService('refused');
  await inStack(ports, (open) => importStack(open, document('refused'), { source: 'a document' }));
  const other = (token: string | undefined) => ({
    ...ports,
    env: { ...ports.env, CAIRN_ACCESS_TOKEN: token },
  });
  expect(await inStack(other('bad'), (open) => stackOutputs(open))).toMatchObject({ open: 'x' });
  expect(await codeOf(inStack(other('bad'), (open) => stackOutputs(open, true)))).toBe('CAIRN-STORE-DENIED');
  expect(await codeOf(inStack(other(undefined), (open) => stackOutputs(open, true)))).toBe(
    'CAIRN-STORE-CREDENTIALS',
  );
});
