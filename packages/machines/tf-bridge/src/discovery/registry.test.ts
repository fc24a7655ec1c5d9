import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isCairnError } from '@cairn/diagnostics';
import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp';
import { zipOf } from '../../test/zip.js';
import { findProvider } from './find-provider.js';
import { platformOf } from './platform.js';

const [system = '', architecture = ''] = platformOf().split('_');
const HERE = { os: system, arch: architecture };
const ELSEWHERE = { os: 'plan9', arch: 'mips' };
const ARCHIVE = zipOf({ 'terraform-provider-thing_v1.2.0': 'run' });
const SHA256 = createHash('sha256').update(ARCHIVE).digest('hex');

const FILE = `terraform-provider-thing_1.2.0_${platformOf()}.zip`;
const PACKAGE = `/api/providers/acme/thing/1.2.0/download/${system}/${architecture}`;

/** Returns a key pair with ASCII armour. `days` is its age in days. It is valid for half of that, or for ever if 0. */
async function keyPair(days = 0): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const date = new Date(Date.now() - days * 86_400_000);
  const keyExpirationTime = (days * 86_400) / 2;
  return generateKey({ userIDs: [{ name: 'acme' }], format: 'armored', date, keyExpirationTime });
}

/** Returns a detached signature. `days` is its age in days. */
async function signatureOf(text: string, privateKey: string, days = 0): Promise<Buffer> {
  const signingKeys = await readPrivateKey({ armoredKey: privateKey });
  const message = await createMessage({ binary: Buffer.from(text) });
  const date = new Date(Date.now() - days * 86_400_000 + 3_600_000 * Number(days > 0));
  return Buffer.from(await sign({ message, signingKeys, detached: true, format: 'binary', date }));
}

const SUMS = `${'1'.repeat(64)}  terraform-provider-thing_1.2.0_plan9_mips.zip\n${SHA256}  ${FILE}\n`;
let key: Awaited<ReturnType<typeof keyPair>>;
let signature: Buffer;
beforeAll(async () => {
  key = await keyPair();
  signature = await signatureOf(SUMS, key.privateKey);
});

const packageOf = (publicKey: string) => ({
  ...{ download_url: '/files/thing.zip', shasum: SHA256, filename: FILE },
  ...{ shasums_url: '/files/SHA256SUMS', shasums_signature_url: '/files/SHA256SUMS.sig' },
  signing_keys: { gpg_public_keys: [{ key_id: 'A', ascii_armor: publicKey }] },
});

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
    [PACKAGE]: packageOf(key.publicKey),
    '/files/SHA256SUMS': SUMS,
    '/files/SHA256SUMS.sig': signature,
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

/** Sends requests for the hosts of these tests to this server. */
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
  expect(paths()).toHaveLength(6);
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
  expect((await failure(find(undefined, named))).text).toMatch(/no direct or network_mirror method for it/);
  await writeFile(file, 'provider_installation {\n direct { exclude = ["acme/*"] }\n}\n');
  expect((await failure(find(undefined, named))).text).toMatch(/no direct or network_mirror method for it/);
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
    ...[undefined, undefined, undefined],
  ]);
});

test.each([
  ['a host that is not a registry', { '/.well-known/terraform.json': undefined }, /is not a registry/],
  [
    'a registry of modules only',
    { '/.well-known/terraform.json': { 'modules.v1': '/x' } },
    /has no providers/,
  ],
  ['no such provider', { '/api/providers/acme/thing/versions': undefined }, /has no such provider/],
  ['a failing server', { '/api/providers/acme/thing/versions': 503 }, /HTTP status 503/],
  ['another answer', { '/api/providers/acme/thing/versions': 'hello' }, /did not answer with JSON/],
  ['no list', { '/api/providers/acme/thing/versions': {} }, /does not list its versions/],
  ['no checksum', { [PACKAGE]: { download_url: '/x' } }, /address and checksum/],
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

/** Runs the test in a program of its own that has its lock file from another machine. */
const lockOf = async (): Promise<unknown> =>
  JSON.parse(await readFile(path.join(box, 'program/cairn-lock.json'), 'utf8'));

describe('signatures [TFD-9]', () => {
  test.each<readonly [string, () => Promise<Record<string, unknown>>, RegExp]>([
    [
      'a list that was changed',
      async () => ({ '/files/SHA256SUMS': `${SUMS} ` }),
      /Signed digest did not match/,
    ],
    [
      'a signature by a key that the registry does not name',
      async () => ({ '/files/SHA256SUMS.sig': await signatureOf(SUMS, (await keyPair()).privateKey) }),
      /Could not find signing key/,
    ],
    ['a signature that is none', async () => ({ '/files/SHA256SUMS.sig': 'hello' }), /./],
    ['no signature at its address', async () => ({ '/files/SHA256SUMS.sig': undefined }), /HTTP status 404/],
    ['no list at its address', async () => ({ '/files/SHA256SUMS': undefined }), /HTTP status 404/],
    ['no key', async () => ({ [PACKAGE]: { ...packageOf(''), signing_keys: {} } }), /has no key/],
    [
      'a key made after the signature',
      async () => {
        const late = await keyPair();
        return { [PACKAGE]: packageOf(late.publicKey) };
      },
      /Could not find signing key/,
    ],
  ])('%s is refused, and nothing is unpacked', async (_, change, why) => {
    answers = { ...answers, ...(await change()) };
    const failed = await failure(find());
    expect([failed.code, failed.text]).toEqual(['CAIRN-PLUGIN-SIGNATURE', expect.stringMatching(why)]);
    expect(paths()).not.toContain('/files/thing.zip');
    expect(await readdir(box)).toEqual(['program']);
  });

  test('a key may have expired since it signed, not before', async () => {
    const old = await keyPair(100);
    answers[PACKAGE] = packageOf(old.publicKey);
    answers['/files/SHA256SUMS.sig'] = await signatureOf(SUMS, old.privateKey, 90);
    expect((await find()).version).toBe('1.2.0');
  });

  test('a signed list that has another checksum than announced is refused', async () => {
    const sums = SUMS.replace(SHA256, '2'.repeat(64));
    answers = {
      ...answers,
      '/files/SHA256SUMS': sums,
      '/files/SHA256SUMS.sig': await signatureOf(sums, key.privateKey),
    };
    const failed = await failure(find());
    expect([failed.code, failed.text]).toEqual([
      'CAIRN-PLUGIN-CHECKSUM',
      expect.stringContaining('2'.repeat(64)),
    ]);
  });

  test('an unsigned provider is taken only if it is named', async () => {
    answers[PACKAGE] = { download_url: '/files/thing.zip', shasum: SHA256 };
    expect((await failure(find(undefined, { CAIRN_UNSIGNED_PROVIDERS: 'other/*' }))).code).toBe(
      'CAIRN-PLUGIN-SIGNATURE',
    );
    expect((await find(undefined, { CAIRN_UNSIGNED_PROVIDERS: 'other/*, acme/thing' })).version).toBe(
      '1.2.0',
    );
  });
});

test('what was downloaded is locked, and the next machine gets the same bytes or none [TFD-11]', async () => {
  await find();
  expect(await lockOf()).toEqual({
    terraformProviders: {
      'registry.opentofu.org/acme/thing': {
        version: '1.2.0',
        hashes: [expect.stringMatching(/^h1:/), `zh:${'1'.repeat(64)}`, `zh:${SHA256}`].sort(),
      },
    },
  });
  const other = zipOf({ 'terraform-provider-thing_v1.2.0': 'another' });
  const sum = createHash('sha256').update(other).digest('hex');
  const sums = SUMS.replace(SHA256, sum);
  const elsewhere = { CAIRN_HOME: path.join(box, 'elsewhere') };
  expect((await find('1.2.0', elsewhere)).how).toBe('registry');
  await rm(path.join(box, 'elsewhere'), { recursive: true });
  answers = {
    ...answers,
    [PACKAGE]: { ...packageOf(key.publicKey), shasum: sum },
    '/files/SHA256SUMS': sums,
    '/files/SHA256SUMS.sig': await signatureOf(sums, key.privateKey),
    '/files/thing.zip': other,
  };
  const failed = await failure(find('1.2.0', elsewhere));
  expect([failed.code, failed.text]).toEqual([
    'CAIRN-PLUGIN-CHECKSUM',
    expect.stringContaining('is not in cairn-lock.json'),
  ]);
});

describe('settings of the configuration file [TFD-5] [TFD-10]', () => {
  const port = (): number => (server.address() as AddressInfo).port;
  /** Finds the provider with a configuration file. */
  async function findBy(config: string, more: Record<string, string> = {}): ReturnType<typeof find> {
    const file = path.join(box, 'rc');
    await writeFile(file, config);
    const env = { HOME: box, CAIRN_HOME: path.join(box, 'home'), TF_CLI_CONFIG_FILE: file, ...more };
    const ask = (url: string, init?: RequestInit) =>
      url.startsWith('http:') ? fetch(url, init) : toServer(url, init);
    return findProvider({ source: 'acme/thing', cwd: path.join(box, 'program'), env, fetch: ask });
  }
  const mirror = () =>
    `provider_installation { network_mirror { url = "http://127.0.0.1:${port()}/mirror" } }`;
  const mirrored = (hashes?: readonly string[]) => ({
    '/mirror/registry.terraform.io/acme/thing/index.json': {
      versions: { '1.0.0': {}, '1.1.0': {}, '2.0.0-rc': {} },
    },
    '/mirror/registry.terraform.io/acme/thing/1.1.0.json': { archives: { plan9_mips: { url: 'x.zip' } } },
    '/mirror/registry.terraform.io/acme/thing/1.0.0.json': {
      archives: { [platformOf()]: { url: '../../../../files/thing.zip', ...(hashes && { hashes }) } },
    },
  });

  test('a mirror on the web has the newest version for this platform', async () => {
    answers = { ...answers, ...mirrored([`zh:${SHA256}`]) };
    const found = await findBy(mirror(), { TF_TOKEN_127_0_0_1: 'not for a port' });
    expect(found).toMatchObject({ version: '1.0.0', source: 'registry.terraform.io/acme/thing' });
    expect(paths()).toEqual([
      '/mirror/registry.opentofu.org/acme/thing/index.json',
      ...Object.keys(mirrored()),
      '/files/thing.zip',
    ]);
    expect(await lockOf()).toMatchObject({
      terraformProviders: { 'registry.terraform.io/acme/thing': { version: '1.0.0' } },
    });
  });

  test.each([
    ['zh', `zh:${'0'.repeat(64)}`],
    ['h1', 'h1:AAAA'],
  ])('an archive that has none of the checksums of its mirror (%s) is refused', async (_, hash) => {
    answers = { ...answers, ...mirrored([hash]) };
    expect((await failure(findBy(mirror()))).code).toBe('CAIRN-PLUGIN-CHECKSUM');
    expect(
      await readdir(path.join(box, 'home/terraform/providers/registry.terraform.io/acme/thing/1.0.0')),
    ).toEqual([]);
  });

  test('a mirror without the provider is an error that names it', async () => {
    const failed = await failure(findBy(mirror()));
    expect(failed.code).toBe('CAIRN-PLUGIN-NOT-FOUND');
    expect(failed.text).toContain(`the mirror http://127.0.0.1:${port()}/mirror has no such provider`);
  });

  test('services of a host, and its token, come from the file', async () => {
    const found = await findBy(
      `host "registry.opentofu.org" {\n  services = { "providers.v1" = "http://127.0.0.1:${port()}/api/providers/" }\n}\n` +
        'credentials "registry.opentofu.org" {\n  token = "from-file"\n}\n',
    );
    expect(found.version).toBe('1.2.0');
    expect(asked.slice(0, 2).map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/providers/acme/thing/versions', 'Bearer from-file'],
      [PACKAGE, 'Bearer from-file'],
    ]);
    expect(asked.slice(2).map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(undefined));
  });

  test('tokens in JSON, as `terraform login` writes them', async () => {
    await findBy('{"credentials": {"registry.opentofu.org": {"token": "by login"}}}');
    expect(asked[0]?.headers.authorization).toBe('Bearer by login');
  });

  test.each([
    [
      'host "x.io" {\n services = { "providers.v1" = "http://example.com/" }\n}',
      'providers.v1 must be an https address',
    ],
    [
      'provider_installation { network_mirror { url = "http://example.com/" } }',
      'network_mirror must be an https address',
    ],
    ['credentials = "x"', 'credentials must be a block with a label'],
  ])('%s is refused with its line', async (config, why) => {
    const failed = await failure(findBy(config));
    expect([failed.code, failed.text]).toEqual(['CAIRN-USAGE', expect.stringContaining(`line 1: `)]);
    expect(failed.text).toContain(why);
  });

  test('what is not supported is refused by its name', async () => {
    const oci = await failure(findBy('provider_installation { oci_mirror { repository_template = "x" } }'));
    expect(oci.text).toContain('oci_mirror of the configuration file is not supported');
    answers['/api/providers/acme/thing/versions'] = 401;
    const helper = await failure(findBy('credentials_helper "vault" {}'));
    expect(helper.text).toContain(
      'credentials_helper "vault" is not supported: set TF_TOKEN_registry_opentofu_org',
    );
  });
});
