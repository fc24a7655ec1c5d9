import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from '../http-server.js';
import { startHttpServer } from '../http-server.js';
import type { ServerKey } from './sealed-bytes.js';
import { newServerKey, openBytes, sealBytes } from './sealed-bytes.js';

const TOKEN = 'hvs.test-token';
const PREFIX = 'vault:v1:';

/** Mount point and namespace of transit engines. */
interface HashiVaultOptions extends HttpServerOptions {
  readonly engine?: string;
  readonly namespace?: string;
}

/** A running Vault with one transit engine. */
export interface HashiVaultServer extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  readonly keys: ReadonlyMap<string, ServerKey>;
}

/** Serves `encrypt` and `decrypt` of Vault's transit engine. Token and namespace are checked. */
export async function startHashiVault(
  keyNames: readonly string[],
  options: HashiVaultOptions = {},
): Promise<HashiVaultServer> {
  const keys = new Map(keyNames.map((name) => [name, newServerKey(name)]));
  const server = await startHttpServer((request) => answer(request, keys, options), options);
  const namespace: Record<string, string> =
    options.namespace === undefined ? {} : { VAULT_NAMESPACE: options.namespace };
  return { ...server, keys, env: { VAULT_ADDR: server.url, VAULT_TOKEN: TOKEN, ...namespace } };
}

function answer(
  request: ServerRequest,
  keys: ReadonlyMap<string, ServerKey>,
  { engine = 'transit', namespace }: HashiVaultOptions,
): ServerReply {
  const [, mount, action, name = ''] =
    /^\/v1\/(.+)\/(encrypt|decrypt)\/([^/]+)$/.exec(decodeURIComponent(request.url.pathname)) ?? [];
  if (mount !== engine || request.headers['x-vault-namespace'] !== namespace)
    return refuse(404, `no handler for route "${mount}/${action}/${name}". route entry not found.`);
  if (request.headers['x-vault-token'] !== TOKEN) return refuse(403, 'permission denied');
  const key = keys.get(name);
  if (key === undefined || !key.enabled) return refuse(400, 'encryption key not found');
  const body = JSON.parse(request.body.toString('utf8')) as Readonly<Record<string, string>>;
  if (action === 'encrypt') {
    const sealed = sealBytes(key, Buffer.from(body['plaintext'] ?? '', 'base64'), name);
    return reply({ ciphertext: PREFIX + sealed.toString('base64'), key_version: 1 });
  }
  const text = body['ciphertext'] ?? '';
  if (!text.startsWith(PREFIX)) return refuse(400, 'invalid ciphertext: no prefix');
  const opened = openBytes(key, Buffer.from(text.slice(PREFIX.length), 'base64'), name);
  return opened === undefined
    ? refuse(400, 'cipher: message authentication failed')
    : reply({ plaintext: opened.toString('base64') });
}

function reply(data: object): ServerReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) };
}

function refuse(status: number, ...errors: readonly string[]): ServerReply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ errors }) };
}
