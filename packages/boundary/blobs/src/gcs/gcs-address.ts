import { fail } from '@cairn/diagnostics';
import type { ParameterRule } from '../object/bucket-url.js';
import {
  checkBucketParameters,
  isBooleanText,
  isGivenText,
  isTrueText,
  parseBucketUrl,
} from '../object/bucket-url.js';
import type { Environment } from '../object/environment.js';
import { environmentValue } from '../object/environment.js';

/**
 * Source of the credentials. `key` is the content of a credentials file; `default` means application default
 * credentials.
 */
type GcsCredentials =
  | { readonly from: 'key'; readonly key: Readonly<Record<string, unknown>> }
  | { readonly from: 'token'; readonly token: string }
  | { readonly from: 'default' }
  | { readonly from: 'nobody' };

/**
 * Content of a `gs://` address and of the environment. `endpoint` has no trailing slash. `prefix` is empty or ends in
 * `/`.
 */
export interface GcsAddress {
  readonly bucket: string;
  readonly prefix: string;
  readonly endpoint: string;
  readonly credentials: GcsCredentials;
}

/**
 * Parameters of the driver. `access_id` and `private_key_path` are for signed links, which a state store never returns.
 * The access id `-` means no credentials, like `anonymous`.
 */
const PARAMETERS: Readonly<Record<string, ParameterRule>> = {
  access_id: isGivenText,
  private_key_path: isGivenText,
  anonymous: isBooleanText,
};

/**
 * Parses `gs://<bucket>[/<prefix>][?parameters]` [STORE-1]. Fails with `CAIRN-BACKEND-URL` or
 * `CAIRN-STORE-CREDENTIALS`.
 */
export function parseGcsAddress(url: string, env: Environment): GcsAddress {
  const address = parseBucketUrl(url);
  checkBucketParameters(url, address, PARAMETERS);
  const { bucket, prefix, params } = address;
  const emulator = emulatorOf(env);
  const anonymous = isTrueText(params.get('anonymous')) || params.get('access_id') === '-';
  const credentials: GcsCredentials = anonymous ? { from: 'nobody' } : chooseCredentials(env, emulator);
  return { bucket, prefix, endpoint: emulator ?? endpointOf(env, credentials), credentials };
}

/**
 * Chooses `GOOGLE_CREDENTIALS`, `GOOGLE_OAUTH_ACCESS_TOKEN`, or application default. An emulator does not receive
 * application default credentials.
 */
function chooseCredentials(env: Environment, emulator: string | undefined): GcsCredentials {
  const text = environmentValue(env, 'GOOGLE_CREDENTIALS');
  if (text !== undefined) return { from: 'key', key: parseKey(text) };
  const token = environmentValue(env, 'GOOGLE_OAUTH_ACCESS_TOKEN');
  if (token !== undefined) return { from: 'token', token };
  return emulator === undefined ? { from: 'default' } : { from: 'nobody' };
}

/** Parses credentials. The text is never shown: it contains a private key. */
function parseKey(text: string): Readonly<Record<string, unknown>> {
  try {
    const key: unknown = JSON.parse(text);
    if (typeof key === 'object' && key !== null && !Array.isArray(key)) return key as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  return fail(
    'CAIRN-STORE-CREDENTIALS',
    'cannot use GOOGLE_CREDENTIALS: it is not the content of a credentials file in JSON',
    {
      hint: 'Put the content of the file into it; the path of the file belongs in GOOGLE_APPLICATION_CREDENTIALS.',
    },
  );
}

function emulatorOf(env: Environment): string | undefined {
  const host = environmentValue(env, 'STORAGE_EMULATOR_HOST');
  if (host === undefined) return undefined;
  return (/^https?:\/\//.test(host) ? host : `http://${host}`).replace(/\/+$/, '');
}

function endpointOf(env: Environment, credentials: GcsCredentials): string {
  const own = credentials.from === 'key' ? credentials.key['universe_domain'] : undefined;
  const universe = typeof own === 'string' ? own : environmentValue(env, 'GOOGLE_CLOUD_UNIVERSE_DOMAIN');
  return `https://storage.${universe ?? 'googleapis.com'}`;
}
