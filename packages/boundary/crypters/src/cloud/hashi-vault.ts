import { decodeBase64 } from '../base64.js';
import type { ReadError } from './json-call.js';
import { postJson, textAt } from './json-call.js';
import type { KeyService, KeyServiceSources } from './key-service.js';
import { KeyFailure } from './key-service.js';
import type { KeyUrl } from './key-url.js';
import { refuseUrl } from './key-url.js';

/**
 * Opens a key of a Vault transit engine: `hashivault://KEY?engine=transit` [SEC-5]. Server and token come from
 * `VAULT_SERVER_URL` or `VAULT_ADDR`, and `VAULT_SERVER_TOKEN` or `VAULT_TOKEN`; `VAULT_NAMESPACE` is passed on.
 * Wrapped bytes are the text `vault:v1:…`.
 */
export async function hashiVault(
  { path, parameters, text }: KeyUrl,
  { env }: KeyServiceSources,
): Promise<KeyService> {
  const engine = parameters.take('engine') ?? 'transit';
  parameters.end(['engine']);
  const server = env['VAULT_SERVER_URL'] || env['VAULT_ADDR'];
  if (server === undefined || !/^https?:\/\//.test(server))
    return refuseUrl(text, 'VAULT_SERVER_URL or VAULT_ADDR must be the http(s) address of the Vault server');
  const call = async (action: 'encrypt' | 'decrypt', body: object): Promise<unknown> => {
    const token = env['VAULT_SERVER_TOKEN'] || env['VAULT_TOKEN'];
    if (!token)
      throw new KeyFailure(
        'credentials',
        'neither VAULT_SERVER_TOKEN nor VAULT_TOKEN is set',
        undefined,
        undefined,
      );
    const namespace = env['VAULT_NAMESPACE'];
    const place = [engine, action, path].map((part) => part.split('/').map(encodeURIComponent).join('/'));
    return postJson(
      `${server.replace(/\/+$/, '')}/v1/${place.join('/')}`,
      {
        'x-vault-token': token,
        'x-vault-request': 'true',
        ...(namespace === undefined || namespace === '' ? {} : { 'x-vault-namespace': namespace }),
      },
      body,
      readError,
    );
  };
  return {
    wrap: async (bytes) => {
      const answer = await call('encrypt', { plaintext: Buffer.from(bytes).toString('base64') });
      return Buffer.from(textOf(answer, 'ciphertext'), 'utf8');
    },
    unwrap: async (wrapped) => {
      const answer = await call('decrypt', { ciphertext: Buffer.from(wrapped).toString('utf8') });
      return decodeBase64(textOf(answer, 'plaintext')) ?? unreadable('plaintext');
    },
  };
}

function textOf(answer: unknown, name: string): string {
  return textAt(answer, 'data', name) ?? unreadable(name);
}

function unreadable(name: string): never {
  throw new KeyFailure('protocol', `the answer has no readable "${name}"`, undefined, undefined);
}

/** Reads an error. Vault tells kinds of refusal apart by words only. */
const readError: ReadError = (status, body) => {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined;
  const said = Array.isArray(errors) && errors.length > 0 ? errors.map(String).join('; ') : undefined;
  if (status !== 400) return { said };
  if (/key not found/i.test(said ?? '')) return { said, kind: 'missing' };
  if (/ciphertext|message authentication|unable to decrypt/i.test(said ?? ''))
    return { said, kind: 'wrong-key' };
  return { said };
};
