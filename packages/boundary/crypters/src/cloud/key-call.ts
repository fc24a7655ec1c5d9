import { cairnError, isCairnError } from '@cairn/diagnostics';
import type { CairnError, ErrorCode } from '@cairn/diagnostics';
import type { RetryPorts } from '@cairn/retries';
import { KeyFailure } from './key-service.js';
import type { KeyFailureKind, KeyService, KeyServiceSources } from './key-service.js';
import { openKeyService } from './open-key-service.js';
import type { OpenKeyService } from './open-key-service.js';
import { retryKeyCall } from './retrying.js';

/** Options of a call, for tests. */
export interface KeyCallOptions {
  readonly open?: OpenKeyService | undefined;
  readonly retry?: RetryPorts | undefined;
}

/** Calls the service of a key URL until it answers or cannot. Fails with `CAIRN-KEY-…`. */
export async function callKeyService<T>(
  url: string,
  action: 'wrap' | 'unwrap',
  { env }: Pick<KeyServiceSources, 'env'>,
  { open = openKeyService, retry }: KeyCallOptions,
  call: (service: KeyService) => Promise<T>,
): Promise<T> {
  try {
    const service = await open(url, { env });
    return await retryKeyCall(() => call(service), retry);
  } catch (thrown) {
    if (isCairnError(thrown)) throw thrown;
    if (thrown instanceof KeyFailure) throw keyError(thrown, action, url);
    throw thrown;
  }
}

interface Refusal {
  readonly code: ErrorCode;
  readonly what: string;
  readonly hint: string;
}

const BUSY: Refusal = {
  code: 'CAIRN-KEY-UNAVAILABLE',
  what: 'the key service cannot be reached',
  hint: 'Nothing was changed. Run the command again when the service answers; CAIRN_CLOUD_SECRET_OVERRIDE names another way to the same key.',
};

/** Messages for the user, one row for each kind of failure. */
const refusals = {
  throttled: { ...BUSY, what: 'the key service is receiving too many requests' },
  unavailable: BUSY,
  timeout: { ...BUSY, what: 'the key service does not answer' },
  denied: {
    code: 'CAIRN-KEY-DENIED',
    what: 'access to the key is denied',
    hint: 'Use credentials that may encrypt and decrypt with this key, or have its owner allow it.',
  },
  credentials: {
    code: 'CAIRN-KEY-CREDENTIALS',
    what: 'the key service does not accept the credentials',
    hint: 'Log in to the cloud again, or set the variables that docs/secrets.md names for this kind of key.',
  },
  missing: {
    code: 'CAIRN-KEY-MISSING',
    what: 'the key is gone, disabled or cannot encrypt',
    hint: 'Enable or restore the key at its service. Secrets that it encrypted cannot be read without it.',
  },
  'wrong-key': {
    code: 'CAIRN-KEY-WRONG',
    what: 'this key did not encrypt it',
    hint: 'Compare "secretsprovider" and "encryptedkey" of the stack file with an older copy: both belong together, as does the encryption context.',
  },
  protocol: {
    code: 'CAIRN-KEY-FAILED',
    what: 'the key service returned an unusable answer',
    hint: 'Check the URL of the key and the address of its service.',
  },
} as const satisfies Record<KeyFailureKind, Refusal>;

/** Returns the error for a failed key service: the attempted action, the key, the service's own words, and a remedy. */
function keyError(failure: KeyFailure, action: 'wrap' | 'unwrap', url: string): CairnError {
  const { code, what, hint } = refusals[failure.kind];
  const wanted = action === 'wrap' ? 'cannot protect secrets' : 'cannot open secrets';
  return cairnError(
    code,
    `${wanted} with the key ${url}: ${what}`,
    { causes: [failure.message], hint },
    failure,
  );
}
