import { randomBytes } from 'node:crypto';
import { fail, isCairnError, cairnError } from '@cairn/diagnostics';
import type { RetryPorts } from '@cairn/retries';
import type { Crypter } from '../crypter.js';
import type { SecretsManager, UnlockSources } from '../secrets-manager.js';
import type { RandomBytes } from '../symmetric.js';
import { symmetricCrypter } from '../symmetric.js';
import type { CloudState } from './cloud-state.js';
import { cloudState, wrappedBytes } from './cloud-state.js';
import type { KeyService, KeyServiceSources, KeyFailureKind } from './key-service.js';
import type { OpenKeyService } from './open-key-service.js';
import { KeyFailure } from './key-service.js';
import { openKeyService } from './open-key-service.js';
import { retryKeyCall } from './retrying.js';
import type { CairnError, ErrorCode } from '@cairn/diagnostics';

const DATA_KEY_BYTES = 32;

/**
 * Options for reaching key services. `reach` is the URL for calls to the key, if it differs from the stored one. The
 * other options are for tests.
 */
export interface KeyServiceOptions {
  readonly reach?: string | undefined;
  readonly open?: OpenKeyService | undefined;
  readonly retry?: RetryPorts | undefined;
  readonly random?: RandomBytes | undefined;
}

/** Crypters of this process by wrapped key and the URL that opens it, so that each service is called once. */
const crypters = new Map<string, Promise<Crypter>>();

/**
 * Returns the manager of a wrapped data key [SEC-5]. The service is called at the first request for the crypter; after
 * a failure, the next request tries again. Fails with `CAIRN-KEY-…`, `CAIRN-SECRETS-UNKNOWN-TYPE`,
 * `CAIRN-SECRETS-MALFORMED`.
 */
export function cloudManager(
  state: CloudState,
  sources: UnlockSources,
  options: KeyServiceOptions = {},
): SecretsManager {
  return { type: 'cloud', state: state.json, crypter: () => dataKeyCrypter(state, sources, options) };
}

/**
 * Creates a manager with a new data key, wrapped by the key of the URL. It serves a new stack, a change of key, or a
 * rotation.
 */
export async function createCloudManager(
  url: string,
  sources: UnlockSources,
  options: KeyServiceOptions = {},
): Promise<SecretsManager> {
  const { random = randomBytes, reach = url } = options;
  const dataKey = random(DATA_KEY_BYTES);
  const wrapped = await withService(reach, 'wrap', sources, options, (service) => service.wrap(dataKey));
  const crypter = symmetricCrypter(dataKey, random);
  const state = cloudState(url, Buffer.from(wrapped).toString('base64'));
  return { type: 'cloud', state: state.json, crypter: async () => crypter };
}

/**
 * Returns the value of `CAIRN_CLOUD_SECRET_OVERRIDE` or `PULUMI_CLOUD_SECRET_OVERRIDE`: the URL that reaches the same
 * key in this environment. The stack file and the state keep their URL.
 */
export function overrideUrl(env: KeyServiceSources['env']): string | undefined {
  return env['CAIRN_CLOUD_SECRET_OVERRIDE'] || env['PULUMI_CLOUD_SECRET_OVERRIDE'] || undefined;
}

function dataKeyCrypter(
  state: CloudState,
  sources: UnlockSources,
  options: KeyServiceOptions,
): Promise<Crypter> {
  const name = JSON.stringify([options.reach ?? state.url, state.wrapped]);
  const known = crypters.get(name);
  if (known !== undefined) return known;
  const crypter = unwrap(state, sources, options);
  crypters.set(name, crypter);
  crypter.catch(() => crypters.delete(name));
  return crypter;
}

async function unwrap(
  state: CloudState,
  sources: UnlockSources,
  options: KeyServiceOptions,
): Promise<Crypter> {
  const wrapped = wrappedBytes(state);
  const { reach = state.url } = options;
  const dataKey = await withService(reach, 'unwrap', sources, options, (service) => service.unwrap(wrapped));
  if (dataKey.length === DATA_KEY_BYTES) return symmetricCrypter(dataKey);
  return fail(
    'CAIRN-SECRETS-MALFORMED',
    `cannot open secrets: what ${reach} decrypted is not a data key: it has ${dataKey.length} bytes, not ${DATA_KEY_BYTES}`,
    { hint: 'Restore "encryptedkey" in the stack file, or "secrets_providers" in the state, from a copy.' },
  );
}

async function withService<T>(
  url: string,
  action: 'wrap' | 'unwrap',
  { env }: UnlockSources,
  { open = openKeyService, retry }: KeyServiceOptions,
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
