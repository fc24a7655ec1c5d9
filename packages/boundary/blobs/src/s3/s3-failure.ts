import { retryAfterMs } from '@cairn/retries';
import { ObjectFailure } from '../object/object-client.js';
import type { ObjectFailureKind } from '../object/object-client.js';

/** Members of an error of the vendor's SDK; each may be missing. */
interface SdkError {
  readonly name?: string;
  readonly Code?: string;
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly unknown[];
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $response?: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly statusCode?: number;
  };
}

/** Codes of the protocol, of compatible servers, and of the SDK, with a meaning of their own. */
const BY_CODE: Readonly<Record<string, ObjectFailureKind>> = {
  SlowDown: 'throttled',
  SlowDownRead: 'throttled',
  SlowDownWrite: 'throttled',
  Throttling: 'throttled',
  ThrottlingException: 'throttled',
  RequestLimitExceeded: 'throttled',
  TooManyRequests: 'throttled',
  TooManyRequestsException: 'throttled',
  // Two writers of one object at once: on a retry, the server knows which condition holds.
  ConditionalRequestConflict: 'throttled',
  OperationAborted: 'throttled',
  InternalError: 'unavailable',
  ServiceUnavailable: 'unavailable',
  XMinioServerNotInitialized: 'unavailable',
  IncompleteBody: 'unavailable',
  RequestTimeout: 'timeout',
  TimeoutError: 'timeout',
  AccessDenied: 'denied',
  AccountProblem: 'denied',
  AllAccessDisabled: 'denied',
  InvalidObjectState: 'denied',
  MethodNotAllowed: 'denied',
  CredentialsProviderError: 'credentials-missing',
  TokenProviderError: 'credentials-missing',
  ExpiredToken: 'credentials-expired',
  ExpiredTokenException: 'credentials-expired',
  TokenRefreshRequired: 'credentials-expired',
  InvalidToken: 'credentials-expired',
  InvalidAccessKeyId: 'credentials-expired',
  SignatureDoesNotMatch: 'credentials-expired',
  UnrecognizedClientException: 'credentials-expired',
  RequestTimeTooSkewed: 'clock-skew',
  RequestExpired: 'clock-skew',
  NoSuchBucket: 'no-bucket',
  PermanentRedirect: 'no-bucket',
  EntityTooLarge: 'too-large',
  QuotaExceeded: 'full',
  XMinioStorageFull: 'full',
  XMinioAdminBucketQuotaExceeded: 'full',
  NotImplemented: 'condition-unsupported',
};

const BY_STATUS: Readonly<Record<number, ObjectFailureKind>> = {
  401: 'credentials-expired',
  403: 'denied',
  408: 'timeout',
  413: 'too-large',
  429: 'throttled',
  500: 'unavailable',
  501: 'condition-unsupported',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
  507: 'full',
};

/** Failures of the connection, after which the effect of the request is not known. */
const CONNECTION =
  /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ERR_STREAM_PREMATURE_CLOSE|EPROTO|HPE_)/;

/** Returns the status of an answer that was an error; undefined if there was none. */
export function httpStatusOf(thrown: unknown): number | undefined {
  const error = asSdkError(thrown);
  return error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
}

/** Returns the protocol's code of an error, e.g. `NoSuchKey`. */
export function errorCodeOf(thrown: unknown): string {
  const error = asSdkError(thrown);
  return error.Code ?? error.name ?? '';
}

/** Converts anything that the SDK throws. `conditional` is true if the request had a condition. */
export function s3Failure(thrown: unknown, conditional: boolean): ObjectFailure {
  if (thrown instanceof ObjectFailure) return thrown;
  const error = asSdkError(thrown);
  const status = httpStatusOf(thrown);
  const headers = error.$response?.headers ?? {};
  const asked = retryAfterMs(headers['retry-after'] ?? headers['Retry-After'], Date.now());
  return new ObjectFailure(kindOf(error, status, conditional), wordsOf(error), {
    ...(status !== undefined && { status }),
    ...(asked !== undefined && { retryAfterMs: asked }),
    cause: thrown,
  });
}

function kindOf(error: SdkError, status: number | undefined, conditional: boolean): ObjectFailureKind {
  const code = errorCodeOf(error);
  const byCode = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  const kind = byCode ?? (status === undefined ? undefined : BY_STATUS[status]) ?? connectionKind(error);
  if (kind === 'condition-unsupported' && !conditional) return 'protocol';
  return kind ?? 'protocol';
}

function connectionKind(error: SdkError): ObjectFailureKind | undefined {
  const codes = [error, ...(error.errors ?? []).map(asSdkError)].map((one) => one.code ?? '');
  if (codes.includes('ETIMEDOUT')) return 'timeout';
  const cut = /socket hang up|aborted|other side closed|premature close/i.test(error.message ?? '');
  return cut || codes.some((code) => CONNECTION.test(code)) ? 'unavailable' : undefined;
}

/** Returns the server's message preceded by its code, or the message of the system. */
function wordsOf(error: SdkError): string {
  const code = errorCodeOf(error);
  const first = error.message || (error.errors ?? []).map((one) => asSdkError(one).message).join('; ');
  const message = first === '' || first === 'UnknownError' ? 'no explanation' : first;
  return code === '' || code === 'Error' || message.startsWith(code) ? message : `${code}: ${message}`;
}

function asSdkError(thrown: unknown): SdkError {
  return typeof thrown === 'object' && thrown !== null ? (thrown as SdkError) : { message: String(thrown) };
}
