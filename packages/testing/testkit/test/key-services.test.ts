import {
  createCloudManager,
  openKeyService,
  openSecretsManager,
  cloudManager,
  parseCloudState,
} from '@cairn/crypters';
import type { KeyServiceOptions, SecretsManager } from '@cairn/crypters';
import { startAwsKms, startAzureKeyVault, startGcpKms, startHashiVault } from '@cairn/testkit/servers';
import type {
  AwsKmsServer,
  AzureKeyVaultServer,
  GcpKmsServer,
  HashiVaultServer,
  HttpServer,
} from '@cairn/testkit/servers';

const UUID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const OTHER = '0000abcd-12ab-34cd-56ef-1234567890ab';
const GCP = 'projects/p/locations/global/keyRings/r/cryptoKeys/k';

let aws: AwsKmsServer;
let gcp: GcpKmsServer;
let azure: AzureKeyVaultServer;
let vault: HashiVaultServer;
const waits: number[] = [];

/** Retries without real waiting. */
const retry = {
  random: () => 0.5,
  now: () => 0,
  sleep: async (ms: number) => void waits.push(ms),
};

interface Service {
  readonly url: string;
  readonly otherKey: string;
  readonly server: () => HttpServer & { readonly env: Readonly<Record<string, string>> };
  readonly disable: (enabled: boolean) => void;
  readonly denied: { status: number; body: string };
  readonly expired: { status: number; body: string };
  readonly throttled: { status: number; body: string };
}

const services: Readonly<Record<string, Service>> = {
  awskms: {
    url: 'awskms://alias/stacks?region=eu-test-1&context_app=shop',
    otherKey: `awskms://${OTHER}?region=eu-test-1`,
    server: () => aws,
    disable: (enabled) => void (must(aws.keys.get(UUID)).enabled = enabled),
    denied: {
      status: 400,
      body: '{"__type":"AccessDeniedException","message":"User: ann is not authorized to perform: kms:Decrypt"}',
    },
    expired: {
      status: 400,
      body: '{"__type":"ExpiredTokenException","message":"The security token included in the request is expired"}',
    },
    throttled: { status: 400, body: '{"__type":"ThrottlingException","message":"Rate exceeded"}' },
  },
  gcpkms: {
    url: `gcpkms://${GCP}`,
    otherKey: `gcpkms://${GCP}2`,
    server: () => gcp,
    disable: (enabled) => void (must(gcp.keys.get(GCP)).enabled = enabled),
    denied: {
      status: 403,
      body: '{"error":{"code":403,"status":"PERMISSION_DENIED","message":"Permission \'cloudkms.cryptoKeyVersions.useToDecrypt\' denied"}}',
    },
    expired: {
      status: 401,
      body: '{"error":{"code":401,"status":"UNAUTHENTICATED","message":"Request had invalid authentication credentials."}}',
    },
    throttled: {
      status: 429,
      body: '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Quota exceeded"}}',
    },
  },
  azurekeyvault: {
    url: 'azurekeyvault://vault.vault.azure.net/keys/stacks',
    otherKey: 'azurekeyvault://vault.vault.azure.net/keys/other',
    server: () => azure,
    disable: (enabled) => void (must(azure.keys.get('stacks')).enabled = enabled),
    denied: {
      status: 403,
      body: '{"error":{"code":"Forbidden","message":"The user does not have keys decrypt permission on key vault"}}',
    },
    expired: { status: 401, body: '{"error":{"code":"Unauthorized","message":"AKV10000: token expired"}}' },
    throttled: {
      status: 429,
      body: '{"error":{"code":"Throttled","message":"Request was not processed because too many requests were received"}}',
    },
  },
  hashivault: {
    url: 'hashivault://stacks?engine=team/transit',
    otherKey: 'hashivault://other?engine=team/transit',
    server: () => vault,
    disable: (enabled) => void (must(vault.keys.get('stacks')).enabled = enabled),
    denied: { status: 403, body: '{"errors":["1 error occurred:\\n\\t* permission denied\\n\\n"]}' },
    expired: { status: 401, body: '{"errors":["token is expired"]}' },
    throttled: {
      status: 429,
      body: '{"errors":["request path \\"transit/decrypt/stacks\\": rate limit quota exceeded"]}',
    },
  },
};

beforeAll(async () => {
  aws = await startAwsKms([UUID, OTHER]);
  aws.alias('alias/stacks', UUID);
  gcp = await startGcpKms([GCP, `${GCP}2`]);
  azure = await startAzureKeyVault(['stacks', 'other']);
  vault = await startHashiVault(['stacks', 'other'], { engine: 'team/transit', namespace: 'platform' });
});
afterAll(() => Promise.all([aws, gcp, azure, vault].map((server) => server.close())));
beforeEach(() => {
  waits.length = 0;
  azure.mayGet = true;
  for (const server of [aws, gcp, azure, vault]) server.faults.clear();
});

const ports: KeyServiceOptions = {
  retry,
  open: (url, sources) => openKeyService(url, { ...sources, azure: azure.credential }),
};
const create = (service: Service, url = service.url): Promise<SecretsManager> =>
  createCloudManager(url, { env: service.server().env }, ports);
/** Opens a manager as another process does. */
const reopen = (service: Service, state: string | undefined, env = service.server().env): SecretsManager =>
  cloudManager(parseCloudState(state), { env }, ports);
const errorOf = async (work: Promise<unknown>): Promise<Failure> => {
  const failure = await work.then(
    () => undefined,
    (error: { readonly diagnostics: readonly Failure[] }) => error.diagnostics[0],
  );
  return must(failure);
};

interface Failure {
  readonly code: string;
  readonly summary: string;
  readonly causes: readonly string[];
  readonly hint: string;
}

describe.each(Object.entries(services))('%s', (_, service) => {
  test('a data key is wrapped once, opened once, and seals in the form of the passphrase', async () => {
    const made = await create(service);
    const sealed = (await made.crypter()).encrypt('"hunter2"');
    expect(sealed).toMatch(/^v1:[A-Za-z0-9+/=]{16}:[A-Za-z0-9+/=]+$/);
    const before = service.server().requests.length;
    const again = reopen(service, made.state);
    expect(again).toMatchObject({ type: 'cloud', state: made.state });
    expect((await again.crypter()).decrypt(sealed)).toBe('"hunter2"');
    const calls = service.server().requests.length;
    expect(calls).toBeGreaterThan(before);
    expect((await reopen(service, made.state).crypter()).decrypt(sealed)).toBe('"hunter2"');
    expect(service.server().requests.length).toBe(calls);
  });

  test('every manager has a data key of its own', async () => {
    const [one, two] = await Promise.all([create(service), create(service)]);
    expect(one.state).not.toBe(two.state);
    const sealed = (await one.crypter()).encrypt('x');
    const other = await two.crypter();
    expect(() => other.decrypt(sealed)).toThrow(/another key/);
  });

  test.each([
    ['denied', 'CAIRN-KEY-DENIED'],
    ['expired', 'CAIRN-KEY-CREDENTIALS'],
  ] as const)(
    '%s: says which key, the words of the service, what to do; and is not repeated',
    async (kind, code) => {
      const { state } = await create(service);
      service.server().faults.repeat(4, { match: /decrypt|POST \/ ?$|keys\//i, ...service[kind] });
      const error = await errorOf(reopen(service, state).crypter());
      expect(error.code).toBe(code);
      expect(error.summary).toContain(service.url);
      expect(error.causes[0]).toBeTruthy();
      expect(error.hint).toBeTruthy();
      expect(waits).toEqual([]);
      service.server().faults.clear();
      await expect(reopen(service, state).crypter()).resolves.toBeDefined();
    },
  );

  test('throttled, down for a moment, answer lost or cut: asked again', async () => {
    const { state } = await create(service);
    const { faults } = service.server();
    const match = (request: { method: string; target: string }): boolean => request.method === 'POST';
    faults.next(
      { match, ...service.throttled, headers: { 'retry-after': '3' } },
      { match, status: 503 },
      { match, hangUp: 'before' },
      { match, truncate: 3 },
    );
    await expect(reopen(service, state).crypter()).resolves.toBeDefined();
    expect(waits).toHaveLength(4);
    expect(waits[0]).toBe(3000);
  });

  test('down for good: nothing is asked without end', async () => {
    const { state } = await create(service);
    const server = service.server();
    const before = server.requests.length;
    server.faults.repeat(50, { match: ({ method }) => method === 'POST', status: 500 });
    const error = await errorOf(reopen(service, state).crypter());
    expect(error).toMatchObject({
      code: 'CAIRN-KEY-UNAVAILABLE',
      summary: expect.stringContaining(service.url) as unknown,
    });
    expect(waits).toHaveLength(4);
    expect(server.requests.length - before).toBeLessThan(20);
  });

  test('nobody listens', async () => {
    const { state } = await create(service);
    const nobody = Object.fromEntries(
      Object.entries(service.server().env).map(([name, value]) => [
        name,
        value === service.server().url ? 'http://127.0.0.1:1' : value,
      ]),
    );
    const error = await errorOf(reopen(service, state, nobody).crypter());
    expect(error.code).toBe('CAIRN-KEY-UNAVAILABLE');
  });

  test('a key that was disabled or removed', async () => {
    const { state } = await create(service);
    service.disable(false);
    const error = await errorOf(reopen(service, state).crypter());
    service.disable(true);
    expect(error.code).toBe('CAIRN-KEY-MISSING');
    await expect(reopen(service, state).crypter()).resolves.toBeDefined();
  });

  test('a wrapped key of another key', async () => {
    const { state } = await create(service);
    const { wrapped } = parseCloudState(state);
    const moved = JSON.stringify({ url: service.otherKey, encryptedkey: wrapped });
    expect((await errorOf(reopen(service, moved).crypter())).code).toBe('CAIRN-KEY-WRONG');
  });

  test('an altered wrapped key', async () => {
    const { state } = await create(service);
    const { wrapped, url } = parseCloudState(state);
    const bytes = Buffer.from(wrapped, 'base64');
    const at = bytes.length - 10;
    bytes[at] = bytes[at] === 65 ? 66 : 65;
    const altered = JSON.stringify({ url, encryptedkey: bytes.toString('base64') });
    expect((await errorOf(reopen(service, altered).crypter())).code).toBe('CAIRN-KEY-WRONG');
  });

  test('the other way to the same key that an environment names is used, and not written down', async () => {
    const made = await create(service);
    const state = parseCloudState(made.state);
    const { env } = service.server();
    const unreachable = { url: 'hashivault://not-there', wrapped: state.wrapped, json: 'kept' };
    const manager = cloudManager(unreachable, { env }, { ...ports, reach: service.url });
    expect(manager.state).toBe('kept');
    const sealed = (await made.crypter()).encrypt('x');
    expect((await manager.crypter()).decrypt(sealed)).toBe('x');
  });
});

describe('forms of the wrapped key [SEC-5]', () => {
  const bytesOf = ({ state }: SecretsManager): Buffer =>
    Buffer.from(parseCloudState(state).wrapped, 'base64');

  test('state is compact JSON with the characters of HTML escaped', async () => {
    const { state } = await create(must(services['awskms']));
    expect(state).toMatch(
      /^\{"url":"awskms:\/\/alias\/stacks\?region=eu-test-1\\u0026context_app=shop","encryptedkey":"[A-Za-z0-9+/]+=*"\}$/,
    );
    expect(openSecretsManager('cloud', state, { env: {} }).state).toBe(state);
  });

  test('AWS: the raw blob; the context is part of it; all forms of a key id', async () => {
    const service = must(services['awskms']);
    const made = await create(service);
    expect(bytesOf(made).subarray(0, 36).toString()).toBe(UUID);
    const { wrapped } = parseCloudState(made.state);
    for (const query of ['', '&context_app=other', '&context_app=shop&context_b=c']) {
      const state = JSON.stringify({
        url: `awskms://alias/stacks?region=eu-test-1${query}`,
        encryptedkey: wrapped,
      });
      expect((await errorOf(reopen(service, state).crypter())).code).toBe('CAIRN-KEY-WRONG');
    }
    const env = { ...aws.env, AWS_REGION: '', AWS_ENDPOINT_URL_KMS: '' };
    for (const url of [
      `awskms://${UUID}?region=eu-test-1&endpoint=${aws.url}`,
      `awskms:///arn:aws:kms:eu-test-1:111122223333:key/${UUID}?endpoint=${aws.url}`,
      `awskms://alias/stacks?region=eu-test-1&awssdk=v2&disable_https=true&endpoint=${aws.url.slice('http://'.length)}`,
    ])
      await expect(createCloudManager(url, { env }, ports)).resolves.toMatchObject({ type: 'cloud' });
    const stranger = { ...aws.env, AWS_SECRET_ACCESS_KEY: 'wrong' };
    expect((await errorOf(createCloudManager(service.url, { env: stranger }, ports))).code).toBe(
      'CAIRN-KEY-CREDENTIALS',
    );
  });

  test('AWS: what an alias pointed to before still opens', async () => {
    aws.alias('alias/moves', UUID);
    const made = await createCloudManager('awskms://alias/moves?region=eu-test-1', { env: aws.env }, ports);
    aws.alias('alias/moves', OTHER);
    await expect(reopen(must(services['awskms']), made.state).crypter()).resolves.toBeDefined();
  });

  test('Google: the raw ciphertext; damage on the way is noticed and asked for again', async () => {
    const service = must(services['gcpkms']);
    expect(bytesOf(await create(service))).toHaveLength(12 + 16 + 32);
    gcp.damageNext();
    const made = await create(service);
    expect(waits).toHaveLength(1);
    for (let i = 0; i < 5; i++) gcp.damageNext();
    expect(await errorOf(reopen(service, made.state).crypter())).toMatchObject({
      code: 'CAIRN-KEY-UNAVAILABLE',
      causes: [expect.stringContaining('CRC32C') as unknown],
    });
  });

  test('Azure: base64url text; raw bytes are taken too; one version of a key, and keys that may be used but not read', async () => {
    const service = must(services['azurekeyvault']);
    azure.mayGet = false;
    const made = await create(service);
    const text = bytesOf(made).toString('latin1');
    expect(text).toMatch(/^[A-Za-z0-9_-]{342}$/);
    const raw = { url: service.url, encryptedkey: Buffer.from(text, 'base64url').toString('base64') };
    const sealed = (await made.crypter()).encrypt('x');
    const opened = reopen(service, JSON.stringify(raw));
    expect((await opened.crypter()).decrypt(sealed)).toBe('x');
    expect(opened.state).toBe(JSON.stringify(raw));
    const version = must(azure.keys.get('stacks')).version;
    await expect(create(service, `${service.url}/${version}?algorithm=RSA-OAEP`)).resolves.toMatchObject({
      type: 'cloud',
    });
  });

  test('Vault: text that begins with vault:v1:; namespace and token are sent', async () => {
    const service = must(services['hashivault']);
    expect(bytesOf(await create(service)).toString('utf8')).toMatch(/^vault:v1:[A-Za-z0-9+/=]+$/);
    const named = {
      VAULT_SERVER_URL: vault.url,
      VAULT_SERVER_TOKEN: vault.env['VAULT_TOKEN'],
      VAULT_NAMESPACE: 'platform',
    };
    await expect(createCloudManager(service.url, { env: named }, ports)).resolves.toMatchObject({
      type: 'cloud',
    });
    const errors = await Promise.all(
      [{ VAULT_TOKEN: 'bad' }, { VAULT_TOKEN: '' }, { VAULT_NAMESPACE: '' }, { VAULT_ADDR: '' }].map((env) =>
        errorOf(createCloudManager(service.url, { env: { ...vault.env, ...env } }, ports)),
      ),
    );
    expect(errors.map(({ code }) => code)).toEqual([
      'CAIRN-KEY-DENIED',
      'CAIRN-KEY-CREDENTIALS',
      'CAIRN-KEY-MISSING',
      'CAIRN-KEY-URL',
    ]);
  });
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing');
  return value;
}
