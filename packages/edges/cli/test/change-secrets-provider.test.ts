import { mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { startAwsKms, startHashiVault } from '@cairn/testkit/servers';
import type { AwsKmsServer, HashiVaultServer } from '@cairn/testkit/servers';
import { newManifest } from '@cairn/state';
import { runCli } from '../src/main.js';

const SECRET = 'hunter2 & <co>';
const SIGNATURE = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };
const KEY = '1234abcd-12ab-34cd-56ef-1234567890ab';

let vault: HashiVaultServer;
let aws: AwsKmsServer;
let root: string;
let env: Record<string, string>;
let counter = 0;

beforeAll(async () => {
  vault = await startHashiVault(['stacks', 'other']);
  aws = await startAwsKms([KEY]);
});
afterAll(() => Promise.all([vault.close(), aws.close()]));
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'cairn-secrets-'));
  await writeFile(path.join(root, 'Cairn.yaml'), 'name: shop\nruntime: nodejs\n');
  env = {
    CAIRN_EXIT_CODES: 'fine',
    HOME: root,
    CAIRN_HOME: path.join(root, 'home'),
    CAIRN_BACKEND_URL: pathToFileURL(root).href,
    CAIRN_CONFIG_PASSPHRASE: 'old passphrase',
    CAIRN_STACK: 'dev',
    ...vault.env,
    ...aws.env,
  };
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command in this process. */
async function cairn(words: readonly string[], input = ''): Promise<Ran> {
  const text = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        text[name] += chunk.toString('utf8');
        done();
      },
    });
  const code = await runCli({
    env,
    cwd: root,
    stdin: input === '' ? new PassThrough().end() : Readable.from([Buffer.from(input)]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    argv: words,
    onInterrupt: () => () => undefined,
    now: () => new Date(1_700_000_000_000 + 1000 * counter++),
    self: { command: 'node', words: [], start: [], directory: root, calledAs: 'cairn' },
    announce: () => undefined,
  });
  return { code, ...text };
}

async function ok(words: readonly string[], input?: string): Promise<string> {
  const ran = await cairn(words, input);
  if (ran.code !== 0) throw new Error(`${words.join(' ')} ended with ${ran.code}:\n${ran.stderr}`);
  return ran.stdout;
}

/** Creates a stack with a secret in its config, a nested one, and secrets in its state. */
async function stackWithSecrets(provider = 'hashivault://other'): Promise<void> {
  await ok(['stack', 'init', 'dev', '--secrets-provider', provider]);
  await ok(['config', 'set', '--secret', 'db', SECRET]);
  await ok(['config', 'set', '--secret', '--path', 'list[0].inner', 'inner secret']);
  await ok(['config', 'set', 'plain', 'nothing to hide']);
  const secret = { ...SIGNATURE, plaintext: JSON.stringify(SECRET) };
  const urn = 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev';
  const document = {
    version: 3,
    deployment: {
      manifest: newManifest(new Date(1_700_000_000_000), 'v3.0.0'),
      secrets_providers: { type: 'service', state: { owner: 'o', project: 'shop', stack: 'dev' } },
      resources: [
        { urn, custom: false, type: 'pulumi:pulumi:Stack', outputs: { password: secret, open: 1 } },
      ],
    },
  };
  await ok(['stack', 'import'], JSON.stringify(document));
}

const stackFile = (): Promise<string> => readFile(path.join(root, 'Cairn.dev.yaml'), 'utf8');
const checkpointPath = (): string => path.join(root, '.pulumi', 'stacks', 'shop', 'dev.json');

interface Provider {
  readonly type: string;
  readonly state: { readonly url?: string; readonly salt?: string; readonly encryptedkey?: string };
}

async function providerOfState(): Promise<Provider> {
  const { checkpoint } = JSON.parse(await readFile(checkpointPath(), 'utf8')) as {
    checkpoint: { latest: { secrets_providers: Provider } };
  };
  return checkpoint.latest.secrets_providers;
}

/** Expects that config and state can be opened with the same manager. */
async function expectInStep(type: string): Promise<void> {
  expect((await ok(['config', 'get', 'db'])).trim()).toBe(SECRET);
  expect(await ok(['config', 'get', 'list', '--json'])).toContain('inner secret');
  expect((await ok(['stack', 'output', 'password', '--show-secrets'])).trim()).toBe(SECRET);
  const provider = await providerOfState();
  expect(provider.type).toBe(type);
  const file = await stackFile();
  if (type === 'cloud') {
    expect(file).toContain(`secretsprovider: ${provider.state.url}\n`);
    expect(file).toContain(`encryptedkey: ${provider.state.encryptedkey}\n`);
    expect(file).not.toContain('encryptionsalt');
  } else {
    expect(file).toContain(`encryptionsalt: ${provider.state.salt}\n`);
    expect(file).not.toMatch(/secretsprovider|encryptedkey/);
  }
  expect(file).toContain('shop:plain: nothing to hide');
  for (const text of [file, await readFile(checkpointPath(), 'utf8')]) {
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('inner secret');
  }
}

test('from a passphrase to a key, to another key, to a new data key of the same, and back', async () => {
  await stackWithSecrets('passphrase');
  await expectInStep('passphrase');
  const before = await readFile(checkpointPath(), 'utf8');
  await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
  await expectInStep('cloud');
  expect(await readFile(`${checkpointPath()}.bak`, 'utf8')).toBe(before);
  const first = await providerOfState();
  await ok(['stack', 'change-secrets-provider', `awskms://${KEY}?context_stack=dev`]);
  await expectInStep('cloud');
  expect((await providerOfState()).state.url).toBe(`awskms://${KEY}?context_stack=dev`);
  await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
  const second = await providerOfState();
  await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
  await expectInStep('cloud');
  const third = await providerOfState();
  expect(new Set([first, second, third].map(({ state }) => state.encryptedkey)).size).toBe(3);
  await ok(['stack', 'change-secrets-provider', 'default']);
  await expectInStep('passphrase');
  const kinds = JSON.parse(await ok(['changes', '--json'])) as {
    readonly kind: string;
    readonly summary?: string;
  }[];
  expect(kinds.filter(({ kind }) => kind === 'edit').length).toBeGreaterThanOrEqual(5);
});

test('a rotation takes the first line of stdin for the new passphrase; then only that opens config and state', async () => {
  await stackWithSecrets('passphrase');
  expect(await cairn(['stack', 'change-secrets-provider', 'passphrase'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('stdin') as unknown,
  });
  const salt = (await providerOfState()).state.salt;
  await ok(['stack', 'change-secrets-provider', 'passphrase'], 'new passphrase\na second line\n');
  expect((await providerOfState()).state.salt).not.toBe(salt);
  expect(await cairn(['config', 'get', 'db'])).toMatchObject({ code: 3 });
  expect(await cairn(['stack', 'output', 'password', '--show-secrets'])).toMatchObject({ code: 3 });
  env['CAIRN_CONFIG_PASSPHRASE'] = 'new passphrase';
  await expectInStep('passphrase');
});

describe('interrupted between state and stack file: the same command again brings both into step', () => {
  test('on the way to a new passphrase', async () => {
    await stackWithSecrets('passphrase');
    const file = await stackFile();
    await ok(['stack', 'change-secrets-provider', 'passphrase'], 'new passphrase\n');
    await writeFile(path.join(root, 'Cairn.dev.yaml'), file);
    const { state } = await providerOfState();
    expect((await ok(['config', 'get', 'db'])).trim()).toBe(SECRET);
    await ok(['stack', 'change-secrets-provider', 'passphrase'], 'new passphrase\n');
    expect((await providerOfState()).state).toEqual(state);
    env['CAIRN_CONFIG_PASSPHRASE'] = 'new passphrase';
    await expectInStep('passphrase');
  });

  test('on the way to a key', async () => {
    await stackWithSecrets();
    const file = await stackFile();
    await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
    await writeFile(path.join(root, 'Cairn.dev.yaml'), file);
    const { state } = await providerOfState();
    await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
    expect((await providerOfState()).state).toEqual(state);
    await expectInStep('cloud');
  });

  test('and another way to go on leads there as well', async () => {
    await stackWithSecrets();
    const file = await stackFile();
    await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
    await writeFile(path.join(root, 'Cairn.dev.yaml'), file);
    await ok(['stack', 'change-secrets-provider', `awskms://${KEY}`]);
    expect((await providerOfState()).state.url).toBe(`awskms://${KEY}`);
    await expectInStep('cloud');
  });
});

test('a state that is sealed whole is sealed by the new manager, its copies too', async () => {
  env['CAIRN_STATE_ENCRYPTION'] = 'true';
  await stackWithSecrets('passphrase');
  expect(await readFile(checkpointPath(), 'utf8')).not.toContain('pulumi:pulumi:Stack');
  await ok(['stack', 'change-secrets-provider', 'passphrase'], 'new passphrase\n');
  expect((await cairn(['stack', 'output', 'open'])).code).not.toBe(0);
  env['CAIRN_CONFIG_PASSPHRASE'] = 'new passphrase';
  expect((await ok(['stack', 'output', 'password', '--show-secrets'])).trim()).toBe(SECRET);
  await ok(['stack', 'change-secrets-provider', 'hashivault://stacks']);
  delete env['CAIRN_CONFIG_PASSPHRASE'];
  expect((await ok(['stack', 'output', 'password', '--show-secrets'])).trim()).toBe(SECRET);
  expect((await ok(['config', 'get', 'db'])).trim()).toBe(SECRET);
  expect(await ok(['changes'])).toContain('change-secrets-provider');
});

test('the stack file that --config-file names is the one that is brought along', async () => {
  await stackWithSecrets();
  const at = path.join(root, 'elsewhere.yaml');
  await rename(path.join(root, 'Cairn.dev.yaml'), at);
  await ok(['stack', 'change-secrets-provider', 'hashivault://stacks', '--config-file', at]);
  expect(await readFile(at, 'utf8')).toContain('secretsprovider: hashivault://stacks');
  expect((await ok(['config', 'get', 'db', '--config-file', at])).trim()).toBe(SECRET);
  expect(await readdir(root)).not.toContain('Cairn.dev.yaml');
});

describe('a key service that does not play along changes nothing', () => {
  test.each([
    ['denied', { status: 403, body: '{"errors":["permission denied"]}' }, 3, 'CAIRN-KEY-DENIED'],
    ['gone', { status: 404, body: '{"errors":[]}' }, 1, 'CAIRN-KEY-MISSING'],
  ] as const)('%s', async (_, fault, code, name) => {
    await stackWithSecrets();
    const before = [await stackFile(), await readFile(checkpointPath(), 'utf8')];
    vault.faults.next(fault);
    const ran = await cairn(['stack', 'change-secrets-provider', 'hashivault://stacks']);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(name) as unknown });
    expect(ran.stderr).toContain('hashivault://stacks');
    expect([await stackFile(), await readFile(checkpointPath(), 'utf8')]).toEqual(before);
  });

  test.each([
    ['nonsense', 1, 'CAIRN-SECRETS-UNKNOWN-TYPE'],
    ['vault://x', 1, 'CAIRN-SECRETS-UNKNOWN-TYPE'],
    ['awskms://', 2, 'CAIRN-KEY-URL'],
  ])('%s is refused before anything is asked', async (provider, code, name) => {
    await stackWithSecrets();
    const ran = await cairn(['stack', 'change-secrets-provider', provider]);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(name) as unknown });
  });
});

test('commands that show no secrets need no key: ls, export, stack, output, config, history', async () => {
  await stackWithSecrets('hashivault://stacks');
  const before = vault.requests.length;
  env['VAULT_ADDR'] = 'http://127.0.0.1:1';
  await ok(['stack', 'ls']);
  expect(await ok(['stack', 'export'])).toContain('"ciphertext"');
  expect(await ok(['stack'])).toContain('[secret]');
  expect((await ok(['stack', 'output', 'password'])).trim()).toBe('[secret]');
  expect(await ok(['config'])).toContain('[secret]');
  expect((await ok(['config', 'get', 'plain'])).trim()).toBe('nothing to hide');
  await ok(['config', 'set', 'plain', 'more']);
  await ok(['stack', 'history', '--json']);
  await ok(['changes']);
  expect(vault.requests.length).toBe(before);
});

test('a key that is down when it is needed: which key, what it said, what to do', async () => {
  await stackWithSecrets('hashivault://stacks');
  const { faults } = vault;
  faults.repeat(20, { match: 'decrypt', status: 403, body: '{"errors":["permission denied"]}' });
  env['VAULT_TOKEN'] = 'expired';
  env['CAIRN_CLOUD_SECRET_OVERRIDE'] = 'hashivault://other';
  const ran = await cairn(['config', 'get', 'db']);
  faults.clear();
  expect(ran).toMatchObject({ code: 3 });
  expect(ran.stderr).toContain(
    'error[CAIRN-KEY-DENIED]: cannot open secrets with the key hashivault://other',
  );
  expect(ran.stderr).toContain('permission denied (status 403)');
  expect(ran.stderr).toContain('hint:');
});

test('stack init: what was asked for is what protects; a bad URL leaves nothing behind', async () => {
  const refused = await cairn(['stack', 'init', 'dev', '--secrets-provider', 'hashivault://stacks?mount=x']);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('unknown parameter "mount"') as unknown,
  });
  expect(await ok(['stack', 'ls'])).not.toContain('dev');
  await ok(['stack', 'init', 'dev', '--secrets-provider', 'hashivault://stacks']);
  expect(await providerOfState()).toMatchObject({ type: 'cloud', state: { url: 'hashivault://stacks' } });
  expect(await stackFile()).toMatch(/^secretsprovider: hashivault:\/\/stacks\nencryptedkey: \S+\n$/);
});

test("a state's manager is taken into a file that names none", async () => {
  await stackWithSecrets('hashivault://stacks');
  const { state } = await providerOfState();
  await writeFile(path.join(root, 'Cairn.dev.yaml'), 'config:\n  shop:plain: nothing to hide\n');
  await ok(['config', 'set', '--secret', 'db', SECRET]);
  const file = await stackFile();
  expect(file).toContain(`encryptedkey: ${state.encryptedkey}\n`);
  expect((await ok(['config', 'get', 'db'])).trim()).toBe(SECRET);
});

test('a document of the service with its ciphertexts is refused, with the way out', async () => {
  await ok(['stack', 'init', 'dev']);
  const document = {
    version: 3,
    deployment: {
      manifest: newManifest(new Date(1_700_000_000_000), 'v3.0.0'),
      secrets_providers: { type: 'service', state: { owner: 'o', project: 'shop', stack: 'dev' } },
      resources: [
        {
          urn: 'urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev',
          custom: false,
          type: 'pulumi:pulumi:Stack',
          outputs: { password: { ...SIGNATURE, ciphertext: 'AAECAw==' } },
        },
      ],
    },
  };
  const ran = await cairn(['stack', 'import'], JSON.stringify(document));
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('--show-secrets') as unknown });
});
