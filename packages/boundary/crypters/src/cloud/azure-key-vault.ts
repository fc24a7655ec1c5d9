import type { TokenCredential } from '@azure/identity';
import type { RsaEncryptionAlgorithm } from '@azure/keyvault-keys';
import { messageOf } from '@cairn/diagnostics';
import { retryAfterMs } from '@cairn/retries';
import { CALL_TIMEOUT_MS, kindOfStatus } from './json-call.js';
import type { KeyFailureKind, KeyService, KeyServiceSources } from './key-service.js';
import { KeyFailure } from './key-service.js';
import type { KeyUrl } from './key-url.js';
import { refuseUrl } from './key-url.js';

const PATH = /^[^/]+\/keys\/[^/]+(?:\/[^/]+)?$/;
const ALGORITHMS = [
  'RSA-OAEP-256',
  'RSA-OAEP',
  'RSA1_5',
] as const satisfies readonly RsaEncryptionAlgorithm[];
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;
/** Length of the shortest ciphertext that an RSA key of any use makes. */
const RSA_BYTES = 128;

/**
 * Opens a key of Azure Key Vault: `azurekeyvault://VAULT.vault.azure.net/keys/NAME[/VERSION]?algorithm=RSA-OAEP-256`
 * [SEC-5]. Credentials come from `AZURE_TENANT_ID` with `AZURE_CLIENT_ID` and `AZURE_CLIENT_SECRET`, from
 * `AZURE_KEYVAULT_AUTH_VIA_CLI`, or from the places that Azure's tools search. `CAIRN_AZURE_KEYVAULT_ENDPOINT` is the
 * address of the vault if it differs from the URL. Wrapped bytes are the base64url text of the RSA ciphertext.
 */
export async function azureKeyVault(url: KeyUrl, sources: KeyServiceSources): Promise<KeyService> {
  const { path, parameters, text } = url;
  const algorithm = parameters.oneOf('algorithm', ALGORITHMS) ?? 'RSA-OAEP-256';
  parameters.end(['algorithm']);
  if (!PATH.test(path))
    return refuseUrl(text, 'its key must be VAULT.vault.azure.net/keys/NAME or …/NAME/VERSION');
  const { CryptographyClient } = await import('./sdk/azure.js');
  const other = sources.env['CAIRN_AZURE_KEYVAULT_ENDPOINT'];
  const keyId = other ? other.replace(/\/+$/, '') + path.slice(path.indexOf('/')) : `https://${path}`;
  const credential = sources.azure ?? (await credentialOf(sources.env));
  // A vault under another name answers with a challenge for its own name, which the SDK would reject as foreign.
  const elsewhere = other
    ? { disableChallengeResourceVerification: true, allowInsecureConnection: true }
    : {};
  const client = new CryptographyClient(keyId, credential, { retryOptions: { maxRetries: 0 }, ...elsewhere });
  const signal = (): { abortSignal: AbortSignal } => ({ abortSignal: AbortSignal.timeout(CALL_TIMEOUT_MS) });
  return {
    wrap: async (plaintext) => {
      const { result } = await client
        .encrypt({ algorithm, plaintext }, signal())
        .catch((thrown: unknown) => failed(thrown, false));
      return Buffer.from(Buffer.from(result).toString('base64url'), 'utf8');
    },
    unwrap: async (wrapped) => {
      const { result } = await client
        .decrypt({ algorithm, ciphertext: rsaCiphertext(wrapped) }, signal())
        .catch((thrown: unknown) => failed(thrown, true));
      return result;
    },
  };
}

/**
 * Returns the RSA ciphertext of wrapped bytes. They are base64url text, or the raw bytes that some versions of the
 * other tool stored.
 */
function rsaCiphertext(wrapped: Uint8Array): Uint8Array {
  const text = Buffer.from(wrapped).toString('latin1').trim();
  if (BASE64URL.test(text)) return Buffer.from(text, 'base64url');
  if (wrapped.length >= RSA_BYTES) return wrapped;
  throw new KeyFailure(
    'wrong-key',
    'the wrapped key is neither base64url text nor an RSA ciphertext',
    undefined,
    undefined,
  );
}

async function credentialOf(env: KeyServiceSources['env']): Promise<TokenCredential> {
  const { AzureCliCredential, ClientSecretCredential, DefaultAzureCredential } =
    await import('./sdk/azure.js');
  const [tenant, client, secret] = [
    env['AZURE_TENANT_ID'],
    env['AZURE_CLIENT_ID'],
    env['AZURE_CLIENT_SECRET'],
  ];
  const authorityHost = env['AZURE_AUTHORITY_HOST'];
  if (tenant && client && secret)
    return new ClientSecretCredential(tenant, client, secret, authorityHost ? { authorityHost } : {});
  if (/^(1|true)$/i.test(env['AZURE_KEYVAULT_AUTH_VIA_CLI'] ?? '')) return new AzureCliCredential();
  return new DefaultAzureCredential();
}

function failed(thrown: unknown, decrypting: boolean): never {
  const error = thrown as {
    readonly name?: string;
    readonly statusCode?: number;
    readonly code?: string;
    readonly response?: { readonly headers?: { get(name: string): string | undefined } };
  };
  throw new KeyFailure(
    kindOf(error, messageOf(thrown), decrypting),
    error.code === undefined ? messageOf(thrown) : `${error.code}: ${messageOf(thrown)}`,
    retryAfterMs(error.response?.headers?.get('retry-after'), Date.now()),
    thrown,
  );
}

/**
 * Returns the kind of a failure. A disabled or expired key is reported as forbidden; only the message tells it apart.
 * Ciphertext of another key is reported as a bad parameter.
 */
function kindOf(
  { name, statusCode }: { readonly name?: string; readonly statusCode?: number },
  words: string,
  decrypting: boolean,
): KeyFailureKind {
  if (name === 'AbortError' || name === 'TimeoutError') return 'timeout';
  if (
    /^(CredentialUnavailableError|AuthenticationError|AggregateAuthenticationError|AuthenticationRequiredError)$/.test(
      name ?? '',
    )
  )
    return 'credentials';
  if (statusCode === undefined)
    return /expired|not yet valid|disabled/i.test(words) ? 'missing' : 'unavailable';
  if (statusCode === 403 && /KeyDisabled|disabled key|not enabled|expired/i.test(words)) return 'missing';
  if (statusCode === 400 && decrypting) return 'wrong-key';
  return kindOfStatus(statusCode);
}
