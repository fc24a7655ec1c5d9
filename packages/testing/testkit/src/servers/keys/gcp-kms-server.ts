import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from '../http-server.js';
import { startHttpServer } from '../http-server.js';
import type { ServerKey } from './sealed-bytes.js';
import { newServerKey, openBytes, sealBytes } from './sealed-bytes.js';

const TOKEN = 'ya29.test-token';

/** A running Google Cloud KMS. `damageNext` makes the checksum of the next answer wrong. */
export interface GcpKmsServer extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  readonly keys: ReadonlyMap<string, ServerKey>;
  damageNext(): void;
}

/**
 * Serves `:encrypt` and `:decrypt` of Google Cloud KMS, with the CRC32C of each side checked. `keyNames` have the form
 * projects/…/cryptoKeys/….
 */
export async function startGcpKms(
  keyNames: readonly string[],
  options: HttpServerOptions = {},
): Promise<GcpKmsServer> {
  const keys = new Map(keyNames.map((name) => [name, newServerKey(name)]));
  let damaged = 0;
  const checksum = (bytes: Uint8Array): string => {
    if (damaged === 0) return String(castagnoli(bytes));
    damaged -= 1;
    return '1';
  };
  const server = await startHttpServer((request) => answer(request, keys, checksum), options);
  return {
    ...server,
    keys,
    damageNext: () => void (damaged += 1),
    env: {
      GOOGLE_OAUTH_ACCESS_TOKEN: TOKEN,
      CAIRN_GCP_KMS_ENDPOINT: server.url,
      METADATA_SERVER_DETECTION: 'none',
    },
  };
}

function answer(
  request: ServerRequest,
  keys: ReadonlyMap<string, ServerKey>,
  checksum: (bytes: Uint8Array) => string,
): ServerReply {
  if (request.headers.authorization !== `Bearer ${TOKEN}`)
    return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
  const [, name = '', action] =
    /^\/v1\/(.+):(encrypt|decrypt)$/.exec(decodeURIComponent(request.url.pathname)) ?? [];
  const key = keys.get(name);
  if (key === undefined) return refuse(404, 'NOT_FOUND', `CryptoKey ${name} not found.`);
  if (!key.enabled)
    return refuse(
      400,
      'FAILED_PRECONDITION',
      `${name}/cryptoKeyVersions/1 is not enabled, current state is: DISABLED.`,
    );
  const body = JSON.parse(request.body.toString('utf8')) as Readonly<Record<string, string>>;
  const given = action === 'encrypt' ? 'plaintext' : 'ciphertext';
  const bytes = Buffer.from(body[given] ?? '', 'base64');
  if (body[`${given}Crc32c`] !== String(castagnoli(bytes)))
    return refuse(
      400,
      'INVALID_ARGUMENT',
      `The checksum in field ${given}_crc32c did not match the data in field ${given}.`,
    );
  if (action === 'encrypt') {
    const sealed = sealBytes(key, bytes, name);
    return reply({
      name: `${name}/cryptoKeyVersions/1`,
      ciphertext: sealed.toString('base64'),
      ciphertextCrc32c: checksum(sealed),
      verifiedPlaintextCrc32c: true,
    });
  }
  const opened = openBytes(key, bytes, name);
  if (opened === undefined)
    return refuse(
      400,
      'INVALID_ARGUMENT',
      "Decryption failed: verify that 'name' refers to the correct CryptoKey.",
    );
  return reply({
    plaintext: opened.toString('base64'),
    plaintextCrc32c: checksum(opened),
    usedPrimary: true,
  });
}

function reply(body: object): ServerReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function refuse(code: number, status: string, message: string): ServerReply {
  return {
    status: code,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code, message, status } }),
  };
}

/** Returns the CRC-32C, computed bit by bit and independently, so that a mistake in the client's is found. */
function castagnoli(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
