import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { startHttpServer } from '@cairn/testkit/servers';
import type { HttpServer, ServerReply, ServerRequest } from '@cairn/testkit/servers';
import { sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';

/**
 * The SDKs of the clouds find credentials with modules that they load on use. Each of the ways below ends with a
 * request to the store or the key with credentials that only this way gives.
 */

const LATER = '2099-01-01T00:00:00Z';
const SESSION = { SecretAccessKey: 'secret', Token: 'session', Expiration: LATER };

const boxes: Sandbox[] = [];
let server: HttpServer;
/** Values of the header `authorization` of requests that are not for a vendor's services. */
const shown: string[] = [];

beforeAll(async () => {
  server = await startHttpServer(answer);
});
beforeEach(() => shown.splice(0));
afterAll(async () => {
  await server.close();
  boxes.forEach((box) => box.remove());
});

/** Plays the services that give credentials, and a store and a vault that record the credentials of requests. */
function answer(request: ServerRequest): ServerReply {
  const { pathname } = request.url;
  const form = new URLSearchParams(request.body.toString());
  const action = form.get('Action');
  if (action !== null) return sts(action);
  if (pathname === '/latest/api/token') {
    return { status: 200, headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' }, body: 'imds' };
  }
  if (pathname === '/latest/meta-data/iam/security-credentials/') return { status: 200, body: 'role' };
  if (pathname === '/latest/meta-data/iam/security-credentials/role') {
    return json({ Code: 'Success', AccessKeyId: 'MACHINE', ...SESSION });
  }
  if (pathname === '/container') return json({ AccessKeyId: 'CONTAINER', ...SESSION });
  if (pathname === '/federation/credentials') {
    const [accessKeyId, secretAccessKey, sessionToken] = ['SSO', 'secret', 'session'];
    return json({
      roleCredentials: { accessKeyId, secretAccessKey, sessionToken, expiration: Date.parse(LATER) },
    });
  }
  if (pathname.startsWith('/computeMetadata/')) return google(pathname);
  if (pathname === '/google-token') {
    return json({ access_token: 'workload', expires_in: 3600, token_type: 'Bearer', issued_token_type: 'x' });
  }
  if (pathname === '/msi') {
    return json({
      access_token: 'app-service',
      expires_on: '4070908800',
      token_type: 'Bearer',
      resource: 'x',
    });
  }
  const { authorization } = request.headers;
  if (authorization !== undefined) shown.push(authorization);
  if (authorization === undefined && pathname.startsWith('/keys/')) {
    const challenge =
      'Bearer authorization="https://login.invalid/tenant", resource="https://vault.azure.net"';
    return { status: 401, headers: { 'www-authenticate': challenge } };
  }
  return { status: 403, body: '<Error><Code>AccessDenied</Code><Message>no</Message></Error>' };
}

function sts(action: string): ServerReply {
  const body = `<${action}Response><${action}Result><Credentials><AccessKeyId>${action}</AccessKeyId>
<SecretAccessKey>secret</SecretAccessKey><SessionToken>session</SessionToken><Expiration>${LATER}</Expiration>
</Credentials></${action}Result></${action}Response>`;
  return { status: 200, headers: { 'content-type': 'text/xml' }, body };
}

function google(pathname: string): ServerReply {
  const headers = { 'metadata-flavor': 'Google', 'content-type': 'application/json' };
  const isToken = pathname.endsWith('/token');
  const token = { access_token: 'metadata', expires_in: 3600, token_type: 'Bearer' };
  return { status: 200, headers, body: isToken ? JSON.stringify(token) : 'default' };
}

function json(value: unknown): ServerReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** Environment and files in the sandbox that a way needs. */
interface Way {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * A sandbox with the files of a way; `HERE` in files and variables is its directory, `SERVER` the server's address,
 * `HOST` without its scheme.
 */
function boxFor({ env = {}, files = {} }: Way): { box: Sandbox; env: Record<string, string | undefined> } {
  const box = sandbox({ 'index.ts': '' });
  boxes.push(box);
  const filled = (text: string): string =>
    text
      .replaceAll('HERE', box.directory)
      .replaceAll('SERVER', server.url)
      .replaceAll('HOST', server.url.replace('http://', ''));
  for (const [name, text] of Object.entries(files)) box.write(name, filled(text));
  const entries = Object.entries(env).map(([name, value]) => [name, filled(value)] as const);
  return { box, env: { HOME: box.directory, CAIRN_BACKEND_URL: undefined, ...Object.fromEntries(entries) } };
}

/** Makes a stack with a key; a process of its own for each, because the SDKs keep tokens. */
async function initWith(box: Sandbox, key: string, env: Record<string, string | undefined>): Promise<void> {
  const words = ['stack', 'init', 'dev', '--secrets-provider', key];
  await box.start(words, { env: { ...env, CAIRN_BACKEND_URL: `file://${box.directory}` } }).finished;
}

const CONFIG = { AWS_CONFIG_FILE: 'HERE/config', AWS_SHARED_CREDENTIALS_FILE: 'HERE/credentials' };
const KEYS = 'aws_access_key_id = PROFILE\naws_secret_access_key = secret\n';
const ROLE = 'arn:aws:iam::123456789012:role/tester';
const SSO_CACHE = `.aws/sso/cache/${createHash('sha1').update('corp').digest('hex')}.json`;

test.each<[string, Way, string]>([
  ['a profile', { env: { AWS_PROFILE: 'team' }, files: { credentials: `[team]\n${KEYS}` } }, 'PROFILE'],
  [
    'a process of a profile',
    {
      env: { AWS_PROFILE: 'team' },
      files: {
        config: `[profile team]\ncredential_process = "${process.execPath}" "HERE/print.js"\n`,
        'print.js': `console.log(JSON.stringify({ Version: 1, AccessKeyId: 'PROCESS', SecretAccessKey: 'secret' }));`,
      },
    },
    'PROCESS',
  ],
  [
    'a role of a profile',
    {
      env: { AWS_PROFILE: 'team', AWS_ENDPOINT_URL_STS: 'SERVER' },
      files: {
        config: `[profile team]\nrole_arn = ${ROLE}\nsource_profile = base\n`,
        credentials: `[base]\n${KEYS}`,
      },
    },
    'AssumeRole',
  ],
  [
    'a single sign-on',
    {
      env: { AWS_PROFILE: 'team', AWS_ENDPOINT_URL_SSO: 'SERVER' },
      files: {
        config: `[profile team]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = tester
[sso-session corp]\nsso_region = us-east-1\nsso_start_url = https://corp.invalid/start\n`,
        [SSO_CACHE]: JSON.stringify({ accessToken: 'token', expiresAt: LATER }),
      },
    },
    'SSO',
  ],
  [
    'a web identity',
    {
      env: { AWS_WEB_IDENTITY_TOKEN_FILE: 'HERE/token', AWS_ROLE_ARN: ROLE, AWS_ENDPOINT_URL_STS: 'SERVER' },
      files: { token: 'jwt' },
    },
    'AssumeRoleWithWebIdentity',
  ],
  ['a container', { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'SERVER/container' } }, 'CONTAINER'],
  ['the machine', { env: { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'SERVER' } }, 'MACHINE'],
])('AWS: the credentials of %s', async (_name, way, accessKey) => {
  const { box, env } = boxFor({ ...way, env: { AWS_REGION: 'us-east-1', ...CONFIG, ...way.env } });
  const query = new URLSearchParams({ endpoint: server.url, s3ForcePathStyle: 'true' });
  const { code, stderr } = await box.start(['login', `s3://bucket?${query.toString()}`], { env }).finished;
  expect([code === 0, stderr]).toEqual([false, expect.stringMatching(/denied/i)]);
  expect(shown[0]).toContain(`Credential=${accessKey}/`);
});

test.each<[string, Way, string]>([
  [
    'a file',
    {
      env: { GOOGLE_APPLICATION_CREDENTIALS: 'HERE/workload.json' },
      files: {
        token: 'jwt',
        'workload.json': JSON.stringify({
          type: 'external_account',
          audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
          token_url: 'SERVER/google-token',
          credential_source: { file: 'HERE/token' },
        }),
      },
    },
    'workload',
  ],
  [
    'the machine',
    { env: { GCE_METADATA_HOST: 'HOST', METADATA_SERVER_DETECTION: 'assume-present' } },
    'metadata',
  ],
])('Google: the default credentials of %s', async (_name, way, token) => {
  const { box, env } = boxFor(way);
  const key = 'gcpkms://projects/p/locations/global/keyRings/r/cryptoKeys/k';
  await initWith(box, key, { ...env, CAIRN_GCP_KMS_ENDPOINT: server.url });
  expect(shown[0]).toBe(`Bearer ${token}`);
});

test.each<[string, Way, string]>([
  ['an App Service', { env: { IDENTITY_ENDPOINT: 'SERVER/msi', IDENTITY_HEADER: 'header' } }, 'app-service'],
  [
    'its command line',
    {
      env: { PATH: `HERE/bin:${process.env['PATH'] ?? ''}` },
      files: {
        'bin/az': `#!/bin/sh\necho '{"accessToken":"command-line","expiresOn":"2099-01-01 00:00:00.000000","expires_on":4070908800}'\n`,
      },
    },
    'command-line',
  ],
])('Azure: the default credentials of %s', async (_name, way, token) => {
  const { box, env } = boxFor(way);
  if (way.files !== undefined) chmodSync(path.join(box.directory, 'bin', 'az'), 0o755);
  const key = 'azurekeyvault://vault.vault.azure.net/keys/key';
  await initWith(box, key, { ...env, CAIRN_AZURE_KEYVAULT_ENDPOINT: server.url });
  expect(shown[0]).toBe(`Bearer ${token}`);
});
