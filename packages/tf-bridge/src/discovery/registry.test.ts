import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { zipOf } from '../../test/zip.js';
import { findProvider } from './find-provider.js';
import { platformOf } from './platform.js';

const [system = '', architecture = ''] = platformOf().split('_');
const HERE = { os: system, arch: architecture };
const ELSEWHERE = { os: 'plan9', arch: 'mips' };
const ARCHIVE = zipOf({ 'terraform-provider-thing_v1.2.0': 'run' });
const SHA256 = createHash('sha256').update(ARCHIVE).digest('hex');

let box: string;
let server: Server;
let asked: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
let answers: Record<string, unknown>;

beforeEach(async () => {
  box = await realpath(await mkdtemp(path.join(tmpdir(), 'registry-')));
  await mkdir(path.join(box, 'program'));
  asked = [];
  answers = {
    '/.well-known/terraform.json': { 'providers.v1': '/api/providers' },
    '/api/providers/acme/thing/versions': {
      versions: [
        { version: '1.0.0', protocols: ['5.0'], platforms: [HERE] },
        { version: '1.2.0', protocols: ['4.0', '6.1'], platforms: [ELSEWHERE, HERE] },
        { version: '1.3.0', protocols: ['6.0'], platforms: [ELSEWHERE] },
        { version: '1.4.0', protocols: ['4.0'], platforms: [HERE] },
        { version: '1.5.0-beta', protocols: ['6'], platforms: [HERE] },
      ],
    },
    [`/api/providers/acme/thing/1.2.0/download/${system}/${architecture}`]: {
      download_url: '/files/thing.zip',
      shasum: SHA256,
    },
    '/files/thing.zip': ARCHIVE,
  };
  server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    const answer = answers[url];
    if (answer === undefined) response.statusCode = 404;
    if (typeof answer === 'number') response.statusCode = answer;
    response.end(
      Buffer.isBuffer(answer) || typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(box, { recursive: true, force: true });
});

/** The hosts of these tests are this server. */
const toServer = (url: string, init?: RequestInit): Promise<Response> => {
  const { pathname, protocol } = new URL(url);
  if (protocol !== 'https:') throw new Error(`${url} is not asked over https`);
  return fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`, {
    ...init,
    headers: { ...init?.headers, connection: 'close' },
  });
};

function find(version?: string, more: Readonly<Record<string, string>> = {}, source = 'acme/thing') {
  const env = { HOME: box, CAIRN_HOME: path.join(box, 'home'), ...more };
  return findProvider({ source, version, cwd: path.join(box, 'program'), env, fetch: toServer });
}

async function failure(work: Promise<unknown>): Promise<{ code: string; text: string }> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isCairnError(error)) throw new Error(`no failure: ${String(error)}`);
  const [diagnostic] = error.diagnostics;
  return {
    code: diagnostic?.code ?? '',
    text: [diagnostic?.summary, ...(diagnostic?.causes ?? [])].join('\n'),
  };
}

const paths = () => asked.map(({ url }) => url);

test('the newest wanted version that can be used here is downloaded once [TFD-8]', async () => {
  const found = await find('~> 1.0');
  expect(found).toMatchObject({
    ...{ how: 'registry', version: '1.2.0', source: 'registry.opentofu.org/acme/thing' },
    executable: path.join(
      ...[box, 'home/terraform/providers/registry.opentofu.org/acme/thing/1.2.0', platformOf()],
      'terraform-provider-thing_v1.2.0',
    ),
  });
  expect(await readFile(found.executable as string, 'utf8')).toBe('run');
  await access(found.executable as string);
  expect(paths()).toEqual(Object.keys(answers));
  expect(await find('~> 1.0')).toMatchObject({ how: 'cache', executable: found.executable });
  expect(paths()).toHaveLength(4);
  expect(await readdir(path.join(box, 'home/terraform/providers'))).toEqual(['registry.opentofu.org']);
});

test('who does not offer a network is not given one', async () => {
  const env = { HOME: box, CAIRN_HOME: path.join(box, 'home') };
  const work = findProvider({ source: 'acme/thing', cwd: path.join(box, 'program'), env });
  expect((await failure(work)).code).toBe('CAIRN-PLUGIN-NOT-FOUND');
  expect(asked).toEqual([]);
});

test('a configuration that names no direct way is kept to', async () => {
  const file = path.join(box, 'rc');
  const named = { TF_CLI_CONFIG_FILE: file };
  await writeFile(file, `provider_installation {\n filesystem_mirror { path = "${box}/none" }\n}\n`);
  expect((await failure(find(undefined, named))).text).toMatch(/no way to get it directly/);
  await writeFile(file, 'provider_installation {\n direct { exclude = ["acme/*"] }\n}\n');
  expect((await failure(find(undefined, named))).text).toMatch(/no way to get it directly/);
  expect(asked).toEqual([]);
  await writeFile(file, 'provider_installation {\n direct { include = ["acme/*"] }\n}\n');
  expect((await find(undefined, named)).how).toBe('registry');
});

test('the token of a host is sent to that host', async () => {
  await find(
    undefined,
    { TF_TOKEN_my__registry_example_com: 'secret' },
    'my-registry.example.com/acme/thing',
  );
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    ...['Bearer secret', 'Bearer secret', 'Bearer secret'],
    undefined,
  ]);
});

test.each([
  ['a host that is no registry', { '/.well-known/terraform.json': undefined }, /is no registry/],
  [
    'a registry of modules only',
    { '/.well-known/terraform.json': { 'modules.v1': '/x' } },
    /has no providers/,
  ],
  ['no such provider', { '/api/providers/acme/thing/versions': undefined }, /has no such provider/],
  ['a failing server', { '/api/providers/acme/thing/versions': 503 }, /HTTP status 503/],
  ['another answer', { '/api/providers/acme/thing/versions': 'hello' }, /something else than JSON/],
  ['no list', { '/api/providers/acme/thing/versions': {} }, /which versions there are/],
  [
    'no checksum',
    { [`/api/providers/acme/thing/1.2.0/download/${system}/${architecture}`]: { download_url: '/x' } },
    /what its checksum is/,
  ],
  ['no archive', { '/files/thing.zip': undefined }, /HTTP status 404/],
])('%s is an error that says so', async (_, changed, why) => {
  answers = { ...answers, ...changed };
  const failed = await failure(find());
  expect(failed.code).toBe('CAIRN-PLUGIN-NOT-FOUND');
  expect(failed.text).toMatch(why);
});

test('a wish that no version meets is an error', async () => {
  expect((await failure(find('9.9.9'))).text).toMatch(/has no version that is wanted/);
  expect((await failure(find('1.3.0'))).text).toMatch(new RegExp(`no wanted version for ${platformOf()}`));
  expect((await failure(find('1.4.0'))).text).toMatch(/that speaks version 5 or 6/);
});

test('another archive than the announced one is not unpacked', async () => {
  answers['/files/thing.zip'] = zipOf({ 'terraform-provider-thing': 'evil' });
  const failed = await failure(find());
  expect(failed.code).toBe('CAIRN-PLUGIN-CHECKSUM');
  expect(failed.text).toContain(SHA256);
  expect(await readdir(path.join(box, 'home/terraform/providers'))).toEqual([]);
});

test('an archive that is not the locked one is not unpacked', async () => {
  const lock = (hash: string) =>
    writeFile(
      path.join(box, 'program/.terraform.lock.hcl'),
      `provider "registry.opentofu.org/acme/thing" {\n  version = "1.2.0"\n  hashes = ["${hash}"]\n}\n`,
    );
  for (const hash of [`zh:${'0'.repeat(64)}`, 'h1:AAAA']) {
    await lock(hash);
    expect((await failure(find())).code).toBe('CAIRN-PLUGIN-CHECKSUM');
  }
  await rm(path.join(box, 'home'), { recursive: true });
  await lock(`zh:${SHA256}`);
  expect((await find()).version).toBe('1.2.0');
});
