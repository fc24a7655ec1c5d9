import { messageOf } from '@cairn/diagnostics';
import { decodeBase64 } from '../base64.js';
import { crc32c } from './crc32c.js';
import type { ReadError } from './json-call.js';
import { postJson, textAt } from './json-call.js';
import type { KeyService, KeyServiceSources } from './key-service.js';
import { KeyFailure } from './key-service.js';
import type { KeyUrl } from './key-url.js';
import { refuseUrl } from './key-url.js';

const KEY_NAME = /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/;
const ENDPOINT = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';

/**
 * Opens a key of Google Cloud KMS: `gcpkms://projects/P/locations/L/keyRings/R/cryptoKeys/K`, without parameters
 * [SEC-5]. Credentials are those of `gs://`: `GOOGLE_CREDENTIALS` (JSON), `GOOGLE_OAUTH_ACCESS_TOKEN`, then application
 * default credentials. `CAIRN_GCP_KMS_ENDPOINT` is the address of a private endpoint. Wrapped bytes are the raw
 * ciphertext. CRC32C guards both directions.
 */
export async function gcpKms(
  { path, parameters, text }: KeyUrl,
  { env }: KeyServiceSources,
): Promise<KeyService> {
  parameters.end([]);
  if (!KEY_NAME.test(path))
    return refuseUrl(text, 'its key must be projects/P/locations/L/keyRings/R/cryptoKeys/K');
  const endpoint = (env['CAIRN_GCP_KMS_ENDPOINT'] || ENDPOINT).replace(/\/+$/, '');
  const token = tokenSource(env);
  const call = async (action: 'encrypt' | 'decrypt', body: object): Promise<unknown> =>
    postJson(
      `${endpoint}/v1/${path.split('/').map(encodeURIComponent).join('/')}:${action}`,
      { authorization: `Bearer ${await token()}` },
      body,
      action === 'decrypt' ? readDecryptError : readError,
    );
  return {
    wrap: async (bytes) => {
      const answer = await call('encrypt', {
        plaintext: Buffer.from(bytes).toString('base64'),
        plaintextCrc32c: String(crc32c(bytes)),
      });
      if ((answer as { verifiedPlaintextCrc32c?: unknown }).verifiedPlaintextCrc32c !== true)
        throw damaged('on its way to the service');
      return checkedBytes(answer, 'ciphertext');
    },
    unwrap: async (wrapped) =>
      checkedBytes(
        await call('decrypt', {
          ciphertext: Buffer.from(wrapped).toString('base64'),
          ciphertextCrc32c: String(crc32c(wrapped)),
        }),
        'plaintext',
      ),
  };
}

/** Returns the checked bytes of an answer. Damaged bytes cause a retry, as a lost answer does. */
function checkedBytes(answer: unknown, name: string): Uint8Array {
  const bytes = decodeBase64(textAt(answer, name) ?? '');
  if (bytes === undefined || bytes.length === 0)
    throw new KeyFailure('protocol', `the answer has no readable "${name}"`, undefined, undefined);
  if (textAt(answer, `${name}Crc32c`) !== String(crc32c(bytes))) throw damaged('on its way back');
  return bytes;
}

function damaged(where: string): KeyFailure {
  return new KeyFailure(
    'unavailable',
    `the data was damaged ${where}: its CRC32C differs`,
    undefined,
    undefined,
  );
}

/**
 * Returns a function that provides the access token for a call. Libraries that find a token are loaded only if none is
 * given.
 */
function tokenSource(env: KeyServiceSources['env']): () => Promise<string> {
  const credentials = env['GOOGLE_CREDENTIALS'];
  const given = env['GOOGLE_OAUTH_ACCESS_TOKEN'];
  if (!credentials && given) return async () => given;
  let auth: Promise<{ getAccessToken(): Promise<string | null | undefined> }> | undefined;
  return async () => {
    try {
      auth ??= import('./sdk/google.js').then(({ GoogleAuth }) => {
        const keyFile = env['GOOGLE_APPLICATION_CREDENTIALS'];
        return new GoogleAuth({
          scopes: [SCOPE],
          ...(credentials
            ? { credentials: parsedCredentials(credentials) }
            : keyFile
              ? { keyFilename: keyFile }
              : {}),
        });
      });
      const token = await (await auth).getAccessToken();
      if (token) return token;
    } catch (thrown) {
      throw new KeyFailure('credentials', messageOf(thrown), undefined, thrown);
    }
    throw new KeyFailure('credentials', 'Google Cloud returned no access token', undefined, undefined);
  };
}

/** Parses the credentials. Its error omits the parser's message, which would quote the beginning of the text. */
function parsedCredentials(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new Error('GOOGLE_CREDENTIALS is not the JSON of a service account');
  }
}

/** Reads an error. A disabled or destroyed key is reported as a failed precondition. */
const readError: ReadError = (status, body) => {
  const said = textAt(body, 'error', 'message');
  const kind =
    status === 400 && textAt(body, 'error', 'status') === 'FAILED_PRECONDITION' ? 'missing' : undefined;
  return { said, kind };
};

/** Reads an error of decryption. Ciphertext of another key is reported as an invalid argument. */
const readDecryptError: ReadError = (status, body) => {
  const { said, kind } = readError(status, body);
  const invalid = status === 400 && textAt(body, 'error', 'status') === 'INVALID_ARGUMENT';
  return { said, kind: invalid ? 'wrong-key' : kind };
};
