import { messageOf } from '@cairn/diagnostics';
import type { Storage } from '@google-cloud/storage';
import { networkFailure } from '../object/network-failure.js';
import { ObjectFailure } from '../object/object-client.js';
import type { GcsAddress } from './gcs-address.js';

/**
 * Returns headers that authorize a request; none without credentials. Fails with an `ObjectFailure` if there are no
 * credentials or they are not accepted.
 */
export type Authorize = () => Promise<Readonly<Record<string, string>>>;

/**
 * Returns the source of authorization headers. The SDK manages tokens: it finds credentials of every kind, exchanges
 * them, and renews tokens before they expire.
 */
export function gcsIdentity({ credentials, endpoint }: GcsAddress): Authorize {
  if (credentials.from === 'nobody') return async () => ({});
  if (credentials.from === 'token') return async () => ({ authorization: `Bearer ${credentials.token}` });
  const key = credentials.from === 'key' ? credentials.key : undefined;
  let storage: Promise<Storage> | undefined;
  return async () => {
    storage ??= openSdk(endpoint, key);
    const { authClient } = await storage;
    try {
      return await authClient.getRequestHeaders(endpoint);
    } catch (thrown) {
      throw identityFailure(thrown);
    }
  };
}

async function openSdk(
  endpoint: string,
  key: Readonly<Record<string, unknown>> | undefined,
): Promise<Storage> {
  const sdk = await import('./sdk.js');
  return new sdk.Storage({ apiEndpoint: endpoint, ...(key === undefined ? {} : { credentials: key }) });
}

/** Converts the SDK's error for a missing token. The error itself is not kept: it may contain the key. */
export function identityFailure(thrown: unknown): ObjectFailure {
  const said = messageOf(thrown);
  if (/could not load the default credentials|ENOENT/i.test(said))
    return new ObjectFailure('credentials-missing', said, { next: NO_CREDENTIALS });
  if (/reasonable timeframe|iat and exp/i.test(said))
    return new ObjectFailure('clock-skew', said, { retryable: false });
  const { response } = thrown as { response?: { status?: number } };
  const status = response?.status;
  if (status !== undefined && status >= 500) return new ObjectFailure('unavailable', said, { status });
  if (status !== undefined || /invalid_|json|key|type/i.test(said))
    return new ObjectFailure('credentials-expired', said, {
      next: REFUSED_CREDENTIALS,
      ...(status === undefined ? {} : { status }),
    });
  return networkFailure(thrown);
}

const NO_CREDENTIALS =
  'Log in with `gcloud auth application-default login`, or set GOOGLE_APPLICATION_CREDENTIALS (path of a key file), GOOGLE_CREDENTIALS (its content) or GOOGLE_OAUTH_ACCESS_TOKEN.';
const REFUSED_CREDENTIALS =
  'Renew them: `gcloud auth application-default login`, or a new key in GOOGLE_CREDENTIALS or GOOGLE_APPLICATION_CREDENTIALS.';
