import {
  checkBucketParameters,
  isBooleanText,
  isGivenText,
  isTrueText,
  parseBucketUrl,
  refuseBucketUrl,
} from '../object/bucket-url.js';
import type { ParameterRule } from '../object/bucket-url.js';

/** Mode in which checksums are sent with a request or checked on an answer. */
type ChecksumMode = 'WHEN_SUPPORTED' | 'WHEN_REQUIRED';

const SSE_TYPES = ['AES256', 'aws:kms', 'aws:kms:dsse'] as const;

/** Encryption of stored objects by the server. */
interface ServerSideEncryption {
  readonly type: (typeof SSE_TYPES)[number];
  readonly kmsKeyId: string | undefined;
}

/** Content of an `s3://` address. Undefined members are taken from the environment and the vendor's files. */
export interface S3Address {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string | undefined;
  readonly profile: string | undefined;
  /** Includes a scheme. */
  readonly endpoint: string | undefined;
  /** True if the bucket is part of the path and not of the host's name. */
  readonly pathStyle: boolean;
  /** True for plain HTTP, unless an endpoint has another scheme. */
  readonly insecure: boolean;
  readonly encryption: ServerSideEncryption | undefined;
  readonly accelerate: boolean;
  readonly dualstack: boolean;
  readonly fips: boolean;
  /** True if requests are not signed. */
  readonly anonymous: boolean;
  /** Capacity of the token bucket that limits retries. Undefined if only the number of attempts limits them. */
  readonly retryCapacity: number | undefined;
  readonly requestChecksums: ChecksumMode | undefined;
  readonly responseChecksums: ChecksumMode | undefined;
}

const isOneOf =
  (...values: readonly string[]): ParameterRule =>
  (value) =>
    values.includes(value) ? undefined : `one of ${values.join(', ')}`;

const isChecksumMode: ParameterRule = (value) =>
  /^when_(supported|required)$/i.test(value) ? undefined : 'when_supported or when_required';

/** All parameters [STORE-1]; others are refused by name. */
const PARAMETERS = {
  region: isGivenText,
  profile: isGivenText,
  endpoint: isGivenText,
  s3ForcePathStyle: isBooleanText,
  use_path_style: isBooleanText,
  disable_https: isBooleanText,
  disableSSL: isBooleanText,
  // Formerly a choice between two of the vendor's libraries; both mean the present one.
  awssdk: isOneOf('v1', 'v2', 'V1', 'V2'),
  ssetype: isOneOf(...SSE_TYPES),
  kmskeyid: isGivenText,
  accelerate: isBooleanText,
  dualstack: isBooleanText,
  fips: isBooleanText,
  anonymous: isBooleanText,
  hostname_immutable: isBooleanText,
  rate_limiter_capacity: (value) => (/^[1-9]\d{0,8}$/.test(value) ? undefined : 'a whole number above 0'),
  request_checksum_calculation: isChecksumMode,
  response_checksum_validation: isChecksumMode,
} as const satisfies Record<string, ParameterRule>;

type Parameter = keyof typeof PARAMETERS;

/** Pairs of contradicting parameters, with the reason. */
const CONTRADICTIONS: readonly (readonly [Parameter, Parameter, string])[] = [
  ['endpoint', 'accelerate', 'a custom endpoint has no accelerated form'],
  ['endpoint', 'dualstack', 'a custom endpoint defines its own addresses'],
  ['endpoint', 'fips', 'a custom endpoint defines its own conformance'],
  ['accelerate', 's3ForcePathStyle', 'acceleration needs the bucket in the name of the host'],
  ['accelerate', 'use_path_style', 'acceleration needs the bucket in the name of the host'],
  ['accelerate', 'hostname_immutable', 'acceleration needs the bucket in the name of the host'],
  ['accelerate', 'fips', 'there are no such endpoints'],
  ['anonymous', 'profile', 'a profile is for signing requests'],
];

/**
 * Parses `s3://<bucket>[/<prefix>][?parameters]`, with the other tool's rewriting [STORE-1]. An endpoint without a
 * scheme gets one. With an endpoint, checksums are sent only where they are required, unless the address or
 * `AWS_REQUEST_CHECKSUM_CALCULATION` sets it.
 */
export function parseS3Url(url: string, env: Readonly<Record<string, string | undefined>>): S3Address {
  const address = parseBucketUrl(url);
  checkBucketParameters(url, address, PARAMETERS);
  const { bucket, prefix, params } = address;
  const given = (name: Parameter): string | undefined => params.get(name) ?? undefined;
  const isTrue = (...names: readonly Parameter[]): boolean =>
    names.some((name) => isTrueText(params.get(name)));
  refuseContradictions(url, (name) =>
    PARAMETERS[name] === isBooleanText ? isTrue(name) : given(name) !== undefined,
  );
  const insecure = isTrue('disable_https', 'disableSSL');
  const endpoint = endpointOf(url, given('endpoint'), insecure);
  const lean = endpoint !== undefined && !isSet(env['AWS_REQUEST_CHECKSUM_CALCULATION']);
  const capacity = given('rate_limiter_capacity');
  return {
    bucket,
    prefix,
    region: given('region'),
    profile: given('profile'),
    endpoint,
    // A host whose name must not change cannot contain the bucket.
    pathStyle: isTrue('s3ForcePathStyle', 'use_path_style', 'hostname_immutable'),
    insecure,
    encryption: encryptionOf(url, given('ssetype'), given('kmskeyid')),
    accelerate: isTrue('accelerate'),
    dualstack: isTrue('dualstack'),
    fips: isTrue('fips'),
    anonymous: isTrue('anonymous'),
    retryCapacity: capacity === undefined ? undefined : Number(capacity),
    requestChecksums: modeOf(given('request_checksum_calculation')) ?? (lean ? 'WHEN_REQUIRED' : undefined),
    responseChecksums: modeOf(given('response_checksum_validation')),
  };
}

function refuseContradictions(url: string, isGiven: (name: Parameter) => boolean): void {
  for (const [first, second, why] of CONTRADICTIONS) {
    if (isGiven(first) && isGiven(second))
      refuseBucketUrl(
        url,
        `parameters "${first}" and "${second}" cannot be combined`,
        `Leave one of them out: ${why}.`,
      );
  }
}

function endpointOf(url: string, endpoint: string | undefined, insecure: boolean): string | undefined {
  if (endpoint === undefined) return undefined;
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint)
    ? endpoint
    : `${insecure ? 'http' : 'https'}://${endpoint}`;
  if (!URL.canParse(whole) || !/^https?:$/.test(new URL(whole).protocol))
    return refuseBucketUrl(
      url,
      'parameter "endpoint" is not the address of a server',
      'Write endpoint=https://HOST:PORT.',
    );
  const { username, password, host, protocol, pathname } = new URL(whole);
  if (username !== '' || password !== '') {
    return refuseBucketUrl(
      url,
      'parameter "endpoint" has a user in it',
      'Credentials do not belong in the address: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    );
  }
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}`;
}

function encryptionOf(
  url: string,
  type: string | undefined,
  kmsKeyId: string | undefined,
): ServerSideEncryption | undefined {
  if (type === undefined) {
    if (kmsKeyId !== undefined)
      refuseBucketUrl(
        url,
        'parameter "kmskeyid" needs "ssetype"',
        'Add ssetype=aws:kms or ssetype=aws:kms:dsse.',
      );
    return undefined;
  }
  if (kmsKeyId !== undefined && type === 'AES256')
    refuseBucketUrl(url, 'parameter "kmskeyid" has no meaning with ssetype=AES256', 'Use ssetype=aws:kms.');
  return { type: type as ServerSideEncryption['type'], kmsKeyId };
}

function modeOf(value: string | undefined): ChecksumMode | undefined {
  return value?.toUpperCase() as ChecksumMode | undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
