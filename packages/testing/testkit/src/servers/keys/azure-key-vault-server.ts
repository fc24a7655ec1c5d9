import { constants, createHash, generateKeyPairSync, privateDecrypt, publicEncrypt } from 'node:crypto';
import type { KeyObject, RsaPrivateKey } from 'node:crypto';
import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from '../http-server.js';
import { startHttpServer } from '../http-server.js';

const TOKEN = 'azure-test-token';
const TENANT = '11111111-2222-3333-4444-555555555555';

interface RsaKey {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly version: string;
  enabled: boolean;
}

/**
 * A running Key Vault. `credential` is the client's credential; `mayGet` is true if keys may be read, and not only
 * used.
 */
export interface AzureKeyVaultServer extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  readonly keys: ReadonlyMap<string, RsaKey>;
  readonly credential: { getToken(): Promise<{ token: string; expiresOnTimestamp: number }> };
  mayGet: boolean;
}

/**
 * Serves keys, encrypt and decrypt of Azure Key Vault, with real RSA keys. A call without a token is answered with a
 * challenge.
 */
export async function startAzureKeyVault(
  keyNames: readonly string[],
  options: HttpServerOptions = {},
): Promise<AzureKeyVaultServer> {
  const keys = new Map(keyNames.map((name) => [name, newKey(name)]));
  const permissions = { mayGet: true };
  const server = await startHttpServer((request) => answer(request, keys, permissions.mayGet), options);
  return Object.defineProperty(
    {
      ...server,
      keys,
      env: { CAIRN_AZURE_KEYVAULT_ENDPOINT: server.url },
      credential: { getToken: async () => ({ token: TOKEN, expiresOnTimestamp: Date.now() + 3_600_000 }) },
      mayGet: true,
    },
    'mayGet',
    { set: (value: boolean) => void (permissions.mayGet = value), get: () => permissions.mayGet },
  );
}

function newKey(name: string): RsaKey {
  const version = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { ...generateKeyPairSync('rsa', { modulusLength: 2048 }), version, enabled: true };
}

function answer(request: ServerRequest, keys: ReadonlyMap<string, RsaKey>, mayGet: boolean): ServerReply {
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return challenge();
  const [, name = '', version, action] =
    /^\/keys\/([^/]+)(?:\/([0-9a-f]{32}))?\/?(encrypt|decrypt)?$/.exec(
      request.url.pathname.replace('//', '/'),
    ) ?? [];
  const key = keys.get(name);
  if (key === undefined || (version !== undefined && version !== key.version))
    return refuse(404, 'KeyNotFound', `A key with (name/id) ${name} was not found in this key vault.`);
  const kid = `https://vault.vault.azure.net/keys/${name}/${key.version}`;
  if (action === undefined) {
    if (!mayGet) return refuse(403, 'Forbidden', 'The user does not have keys get permission.');
    const jwk = key.publicKey.export({ format: 'jwk' });
    return reply({
      key: { kid, kty: 'RSA', key_ops: ['encrypt', 'decrypt'], n: jwk.n, e: jwk.e },
      attributes: { enabled: key.enabled },
    });
  }
  if (!key.enabled)
    return refuse(403, 'Forbidden', 'Operation encrypt is not allowed on a disabled key.', 'KeyDisabled');
  const { alg = '', value = '' } = JSON.parse(request.body.toString('utf8')) as {
    alg?: string;
    value?: string;
  };
  const scheme = SCHEMES[alg];
  if (scheme === undefined) return refuse(400, 'BadParameter', `The algorithm ${alg} is not supported.`);
  const bytes = Buffer.from(value, 'base64url');
  try {
    const done =
      action === 'encrypt'
        ? publicEncrypt({ key: key.publicKey, ...scheme }, bytes)
        : privateDecrypt({ key: key.privateKey, ...scheme }, bytes);
    return reply({ kid, value: done.toString('base64url') });
  } catch {
    return refuse(400, 'BadParameter', 'The parameter is incorrect.');
  }
}

const SCHEMES: Readonly<Record<string, Pick<RsaPrivateKey, 'padding' | 'oaepHash'>>> = {
  'RSA-OAEP-256': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  'RSA-OAEP': { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
};

function challenge(): ServerReply {
  return {
    status: 401,
    headers: {
      'www-authenticate': `Bearer authorization="https://login.microsoftonline.com/${TENANT}", resource="https://vault.azure.net"`,
    },
    body: JSON.stringify({
      error: { code: 'Unauthorized', message: 'AKV10000: Request is missing a Bearer or PoP token.' },
    }),
  };
}

function reply(body: object): ServerReply {
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

function refuse(status: number, code: string, message: string, inner?: string): ServerReply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      error: { code, message, ...(inner === undefined ? {} : { innererror: { code: inner } }) },
    }),
  };
}
