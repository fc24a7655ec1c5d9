import { randomBytes } from 'node:crypto';
import { fail } from '@cairn/diagnostics';
import type { Crypter } from '../crypter.js';
import type { SecretsManager, UnlockSources } from '../secrets-manager.js';
import type { RandomBytes } from '../symmetric.js';
import { symmetricCrypter } from '../symmetric.js';
import type { CloudState } from './cloud-state.js';
import { cloudState, wrappedBytes } from './cloud-state.js';
import { callKeyService } from './key-call.js';
import type { KeyCallOptions } from './key-call.js';
import type { KeyServiceSources } from './key-service.js';

const DATA_KEY_BYTES = 32;

/**
 * Options for reaching key services. `reach` is the URL for calls to the key, if it differs from the stored one. The
 * other options are for tests.
 */
export interface KeyServiceOptions extends KeyCallOptions {
  readonly reach?: string | undefined;
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
  const wrapped = await callKeyService(reach, 'wrap', sources, options, (service) => service.wrap(dataKey));
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
  const dataKey = await callKeyService(reach, 'unwrap', sources, options, (service) =>
    service.unwrap(wrapped),
  );
  if (dataKey.length === DATA_KEY_BYTES) return symmetricCrypter(dataKey);
  return fail(
    'CAIRN-SECRETS-MALFORMED',
    `cannot open secrets: what ${reach} decrypted is not a data key: it has ${dataKey.length} bytes, not ${DATA_KEY_BYTES}`,
    { hint: 'Restore "encryptedkey" in the stack file, or "secrets_providers" in the state, from a copy.' },
  );
}
