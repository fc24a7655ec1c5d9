import type { KMSClientConfig } from '@aws-sdk/client-kms';
import { messageOf } from '@cairn/diagnostics';
import { retryAfterMs } from '@cairn/retries';
import { CALL_TIMEOUT_MS, kindOfStatus } from './json-call.js';
import type { KeyFailureKind, KeyService, KeyServiceSources } from './key-service.js';
import { KeyFailure } from './key-service.js';
import type { KeyUrl, UrlParameters } from './key-url.js';

/** Parts of an `awskms` URL. */
interface AwsKey {
  readonly id: string;
  readonly context: Readonly<Record<string, string>>;
  readonly region: string | undefined;
  readonly profile: string | undefined;
  readonly endpoint: string | undefined;
  readonly dualstack: boolean | undefined;
  readonly fips: boolean | undefined;
}

const PARAMETERS = [
  ...['region', 'profile', 'endpoint', 'disable_https', 'dualstack', 'fips', 'hostname_immutable', 'awssdk'],
  'context_<key>',
];

/**
 * Opens a key of AWS KMS [SEC-5] [STORE-1]: `awskms://alias/NAME`, `awskms://<key uuid>` or `awskms:///arn:aws:kms:…`.
 * Its parameters are region, profile, endpoint and their like, and `context_<K>=<V>` for the encryption context.
 * Wrapped bytes are the raw ciphertext blob.
 */
export async function awsKms(url: KeyUrl, { env }: KeyServiceSources): Promise<KeyService> {
  const key = awsKey(url);
  // The SDK's warnings about Node versions do not concern the user of a command.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { DecryptCommand, EncryptCommand, KMSClient } = await import('./sdk/aws.js');
  const client = new KMSClient(clientConfig(key, env));
  const EncryptionContext = key.context;
  return {
    wrap: async (bytes) => {
      const command = new EncryptCommand({ KeyId: key.id, Plaintext: bytes, EncryptionContext });
      const { CiphertextBlob } = await client.send(command).catch(failed);
      return CiphertextBlob ?? unreadable('CiphertextBlob');
    },
    // The blob names its key, so a blob still opens after its alias points to another key.
    unwrap: async (wrapped) => {
      const command = new DecryptCommand({ CiphertextBlob: wrapped, EncryptionContext });
      const { Plaintext } = await client.send(command).catch(failed);
      return Plaintext ?? unreadable('Plaintext');
    },
  };
}

function awsKey({ path, parameters }: KeyUrl): AwsKey {
  // Both name versions of the other tool's library. An endpoint's host is never altered here.
  parameters.oneOf('awssdk', ['v1', 'v2']);
  parameters.flag('hostname_immutable');
  const key = {
    id: path,
    context: parameters.prefixed('context_'),
    region: parameters.take('region') ?? /^arn:[^:]*:kms:([^:]+):/.exec(path)?.[1],
    profile: parameters.take('profile'),
    endpoint: endpointOf(parameters),
    dualstack: parameters.flag('dualstack'),
    fips: parameters.flag('fips'),
  };
  parameters.end(PARAMETERS);
  return key;
}

/** Returns the endpoint, with a scheme added if it has none. */
function endpointOf(parameters: UrlParameters): string | undefined {
  const endpoint = parameters.take('endpoint');
  const plain = parameters.flag('disable_https') ?? false;
  if (endpoint === undefined || endpoint.includes('://')) return endpoint;
  return `${plain ? 'http' : 'https'}://${endpoint}`;
}

/**
 * Builds the configuration of the SDK's client. The SDK makes one attempt, because Cairn retries all services by the
 * same rule. It finds missing settings as AWS tools do.
 */
function clientConfig(key: AwsKey, env: KeyServiceSources['env']): KMSClientConfig {
  const region = key.region ?? (env['AWS_REGION'] || env['AWS_DEFAULT_REGION']);
  const endpoint = key.endpoint ?? (env['AWS_ENDPOINT_URL_KMS'] || env['AWS_ENDPOINT_URL']);
  const profile = key.profile ?? env['AWS_PROFILE'];
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return {
    maxAttempts: 1,
    requestHandler: { requestTimeout: CALL_TIMEOUT_MS, connectionTimeout: CALL_TIMEOUT_MS / 2 },
    ...(region ? { region } : {}),
    ...(endpoint ? { endpoint } : {}),
    ...(profile ? { profile } : {}),
    ...(key.dualstack === undefined ? {} : { useDualstackEndpoint: key.dualstack }),
    ...(key.fips === undefined ? {} : { useFipsEndpoint: key.fips }),
    ...(key.profile === undefined && accessKeyId && secretAccessKey
      ? { credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) } }
      : {}),
  };
}

/** Kinds of failures by error name. Most of these errors have the status 400, which says less than the name. */
const KINDS: Readonly<Record<string, KeyFailureKind>> = {
  ThrottlingException: 'throttled',
  Throttling: 'throttled',
  TooManyRequestsException: 'throttled',
  RequestLimitExceeded: 'throttled',
  LimitExceededException: 'throttled',
  AccessDeniedException: 'denied',
  AccessDenied: 'denied',
  ExpiredTokenException: 'credentials',
  ExpiredToken: 'credentials',
  UnrecognizedClientException: 'credentials',
  InvalidClientTokenId: 'credentials',
  InvalidSignatureException: 'credentials',
  IncompleteSignature: 'credentials',
  MissingAuthenticationToken: 'credentials',
  MissingAuthenticationTokenException: 'credentials',
  CredentialsProviderError: 'credentials',
  TokenProviderError: 'credentials',
  NotFoundException: 'missing',
  DisabledException: 'missing',
  KMSInvalidStateException: 'missing',
  InvalidKeyUsageException: 'missing',
  InvalidCiphertextException: 'wrong-key',
  IncorrectKeyException: 'wrong-key',
  KMSInternalException: 'unavailable',
  KeyUnavailableException: 'unavailable',
  DependencyTimeoutException: 'unavailable',
  ServiceUnavailableException: 'unavailable',
  TimeoutError: 'timeout',
};

function failed(thrown: unknown): never {
  const error = thrown as {
    readonly name?: string;
    readonly $metadata?: { readonly httpStatusCode?: number };
    readonly $response?: { readonly headers?: Readonly<Record<string, string>> };
  };
  const name = error.name ?? '';
  const status = error.$metadata?.httpStatusCode;
  const known = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  const kind = known ?? (status === undefined ? unanswered(thrown) : kindOfStatus(status));
  const words = messageOf(thrown);
  throw new KeyFailure(
    kind,
    name === '' || name === 'Error' ? words : `${name}: ${words}`,
    retryAfterMs(error.$response?.headers?.['retry-after'], Date.now()),
    thrown,
  );
}

/** Returns the kind of a failure without an answer: a missing setting, or the network. */
function unanswered(thrown: unknown): KeyFailureKind {
  const words = messageOf(thrown);
  if (/region is missing/i.test(words)) return 'protocol';
  return /credential|profile|sso/i.test(words) ? 'credentials' : 'unavailable';
}

function unreadable(name: string): never {
  throw new KeyFailure('protocol', `the answer has no "${name}"`, undefined, undefined);
}
