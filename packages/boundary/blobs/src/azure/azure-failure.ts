import { messageOf } from '@cairn/diagnostics';
import { networkFailure } from '../object/network-failure.js';
import type { ObjectFailureKind } from '../object/object-client.js';
import { retryAfterMs } from '@cairn/retries';
import { ObjectFailure } from '../object/object-client.js';

/** Error of the SDK for an unsuccessful answer, reduced to the members that are read here. */
interface ServerError {
  readonly statusCode: number;
  readonly code: string | undefined;
  readonly header: (name: string) => string | undefined;
  readonly said: string;
}

/** Returns status and error code of the service's answer. Undefined for anything that is not an answer. */
export function azureAnswer(thrown: unknown): { readonly status: number; readonly code: string } | undefined {
  const error = serverError(thrown);
  return error === undefined ? undefined : { status: error.statusCode, code: error.code ?? '' };
}

/**
 * Converts an error of the SDK. `mask` removes credentials from a text. The SDK's error itself contains them and is not
 * passed on.
 */
export function azureFailure(
  thrown: unknown,
  container: string,
  mask: (text: string) => string,
): ObjectFailure {
  const identity = identityFailure(thrown, mask);
  if (identity !== undefined) return identity;
  const error = serverError(thrown);
  if (error === undefined) {
    const { kind, message } = networkFailure(thrown);
    const next = message.includes('ENOTFOUND') ? WRONG_ACCOUNT : undefined;
    return new ObjectFailure(kind, mask(oneLine(message)), next === undefined ? {} : { next });
  }
  const kind = kindOf(error);
  const next = nextOf(kind, error.code, container);
  const asked = retryAfterMs(error.header('retry-after'), Date.now());
  return new ObjectFailure(kind, mask(error.said), {
    status: error.statusCode,
    ...(kind === 'clock-skew' ? { retryable: false } : {}),
    ...(asked === undefined ? {} : { retryAfterMs: asked }),
    ...(next === undefined ? {} : { next }),
  });
}

/** Error codes of the service with a meaning of their own. All others are recognised by their status. */
const KINDS: Readonly<Record<string, ObjectFailureKind>> = {
  ContainerNotFound: 'no-bucket',
  ContainerBeingDeleted: 'no-bucket',
  ContainerDisabled: 'no-bucket',
  InvalidResourceName: 'no-bucket',
  ServerBusy: 'throttled',
  OperationTimedOut: 'timeout',
  Md5Mismatch: 'unavailable',
  NoAuthenticationInformation: 'credentials-missing',
  InvalidAuthenticationInfo: 'credentials-expired',
  AuthenticationFailed: 'credentials-expired',
  AccountIsDisabled: 'denied',
  BlobImmutableDueToPolicy: 'denied',
  LeaseIdMissing: 'denied',
  RequestBodyTooLarge: 'too-large',
};

function kindOf({ statusCode, code, said }: ServerError): ObjectFailureKind {
  if (/date header|request is too (old|skewed)|clock/i.test(said)) return 'clock-skew';
  const known = code === undefined || !Object.hasOwn(KINDS, code) ? undefined : KINDS[code];
  if (known !== undefined) return known;
  if (/failed to authenticate/i.test(said)) return 'credentials-expired';
  switch (statusCode) {
    case 401:
      return 'credentials-expired';
    case 403:
      return 'denied';
    case 408:
      return 'timeout';
    case 413:
      return 'too-large';
    case 429:
      return 'throttled';
    case 501:
      return 'condition-unsupported';
    default:
      return statusCode >= 500 ? 'unavailable' : 'protocol';
  }
}

const WRONG_ACCOUNT =
  'Check the name of the storage account (storage_account in the address, AZURE_STORAGE_ACCOUNT) and the network.';
const ROLE =
  'Give this identity the role "Storage Blob Data Contributor" on the container (being owner of the account is not enough), or use a key or a SAS token with the rights to read, add, create, write, delete and list.';
const RENEW =
  'Check AZURE_STORAGE_KEY (the account\'s page "Access keys"), make a new SAS token for AZURE_STORAGE_SAS_TOKEN, or log in again with `az login`.';
const NO_KEYS =
  'This account does not take keys: unset AZURE_STORAGE_KEY and AZURE_STORAGE_CONNECTION_STRING, and log in with `az login`.';
const LEASED = 'Break the lease on this blob (az storage blob lease break), or wait until it ends.';

function nextOf(kind: ObjectFailureKind, code: string | undefined, container: string): string | undefined {
  if (code === 'LeaseIdMissing') return LEASED;
  if (code === 'KeyBasedAuthenticationNotPermitted') return NO_KEYS;
  if (code === 'InvalidResourceName')
    return 'Correct the name of the container in the address: use 3 to 63 lower-case letters, digits and single hyphens.';
  if (kind === 'denied') return ROLE;
  if (kind === 'credentials-expired' || kind === 'credentials-missing') return RENEW;
  if (kind !== 'no-bucket') return undefined;
  return `Create it (az storage container create --name ${container}), or correct the container or the account in the address.`;
}

/** Recognises errors of `@azure/identity` that has no token to offer. */
function identityFailure(thrown: unknown, mask: (text: string) => string): ObjectFailure | undefined {
  const { name } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { name?: unknown };
  const said = mask(oneLine(messageOf(thrown)));
  if (name === 'CredentialUnavailableError' || name === 'AggregateAuthenticationError')
    return new ObjectFailure('credentials-missing', said, {
      next: 'Log in with `az login`, or set AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or AZURE_STORAGE_CONNECTION_STRING.',
    });
  if (name === 'AuthenticationError' || name === 'AuthenticationRequiredError')
    return new ObjectFailure('credentials-expired', said, { next: RENEW });
  if (/bearer token authentication is not permitted/i.test(said))
    return new ObjectFailure('credentials-missing', said, {
      next: 'Without https, use AZURE_STORAGE_KEY, AZURE_STORAGE_SAS_TOKEN or a connection string.',
    });
  return undefined;
}

function serverError(thrown: unknown): ServerError | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const { statusCode, code, message, response } = thrown as {
    statusCode?: unknown;
    code?: unknown;
    message?: unknown;
    response?: { headers?: { get(name: string): string | undefined } };
  };
  if (typeof statusCode !== 'number') return undefined;
  const header = (name: string): string | undefined => response?.headers?.get(name);
  // An answer without a body has its code only in a header.
  const named = typeof code === 'string' ? code : header('x-ms-error-code');
  return { statusCode, code: named, header, said: oneLine(String(message ?? '')) };
}

function oneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}
