import { parseS3Url } from './s3-address.js';
import type { S3Address } from './s3-address.js';
import { copySource } from './s3-client.js';

const plain: S3Address = {
  bucket: 'b',
  prefix: '',
  region: undefined,
  profile: undefined,
  endpoint: undefined,
  pathStyle: false,
  insecure: false,
  encryption: undefined,
  accelerate: false,
  dualstack: false,
  fips: false,
  anonymous: false,
  retryCapacity: undefined,
  requestChecksums: undefined,
  responseChecksums: undefined,
};
const lean = { requestChecksums: 'WHEN_REQUIRED' } as const;

test.each<[string, Partial<S3Address>]>([
  ['s3://b', {}],
  ['s3://b/', {}],
  ['s3://b/a/b', { prefix: 'a/b/' }],
  ['s3://b//a//b/?region=eu-central-1', { prefix: 'a/b/', region: 'eu-central-1' }],
  ['s3://b/with%20space%2Bplus', { prefix: 'with space+plus/' }],
  ['s3://My.Bucket_1', { bucket: 'My.Bucket_1' }],
  ['s3://b?profile=work&awssdk=v2', { profile: 'work' }],
  ['s3://b?endpoint=minio:9000', { endpoint: 'https://minio:9000', ...lean }],
  [
    's3://b?endpoint=minio:9000&disable_https=true',
    { endpoint: 'http://minio:9000', insecure: true, ...lean },
  ],
  ['s3://b?endpoint=minio:9000&disableSSL=true', { endpoint: 'http://minio:9000', insecure: true, ...lean }],
  ['s3://b?endpoint=http://h:1/base/', { endpoint: 'http://h:1/base', ...lean }],
  ['s3://b?disable_https=true', { insecure: true }],
  ['s3://b?s3ForcePathStyle=true', { pathStyle: true }],
  ['s3://b?s3ForcePathStyle=false', {}],
  ['s3://b?use_path_style=1', { pathStyle: true }],
  ['s3://b?endpoint=https://h&hostname_immutable=true', { endpoint: 'https://h', pathStyle: true, ...lean }],
  ['s3://b?ssetype=AES256', { encryption: { type: 'AES256', kmsKeyId: undefined } }],
  ['s3://b?ssetype=aws:kms&kmskeyid=alias/x', { encryption: { type: 'aws:kms', kmsKeyId: 'alias/x' } }],
  ['s3://b?ssetype=aws:kms:dsse', { encryption: { type: 'aws:kms:dsse', kmsKeyId: undefined } }],
  ['s3://b?accelerate=true&dualstack=true', { accelerate: true, dualstack: true }],
  ['s3://b?fips=true&accelerate=false', { fips: true }],
  ['s3://b?anonymous=true', { anonymous: true }],
  ['s3://b?rate_limiter_capacity=500', { retryCapacity: 500 }],
  ['s3://b?request_checksum_calculation=when_supported', { requestChecksums: 'WHEN_SUPPORTED' }],
  [
    's3://b?endpoint=https://h&request_checksum_calculation=when_supported',
    { endpoint: 'https://h', requestChecksums: 'WHEN_SUPPORTED' },
  ],
  ['s3://b?response_checksum_validation=when_required', { responseChecksums: 'WHEN_REQUIRED' }],
])('%s', (url, expected) => {
  expect(parseS3Url(url, {})).toEqual({ ...plain, ...expected });
});

test('with an endpoint the variable of the vendor decides on checksums, when it is set', () => {
  const url = 's3://b?endpoint=https://h';
  expect(
    parseS3Url(url, { AWS_REQUEST_CHECKSUM_CALCULATION: 'when_supported' }).requestChecksums,
  ).toBeUndefined();
  expect(parseS3Url(url, { AWS_REQUEST_CHECKSUM_CALCULATION: '' }).requestChecksums).toBe('WHEN_REQUIRED');
});

test.each([
  ['s3://', 'does not name a bucket'],
  ['s3:///a', 'does not name a bucket'],
  ['s3://b?colour=red', 'unknown parameter "colour"'],
  ['s3://b?constructor=x', 'unknown parameter "constructor"'],
  ['s3://b?region=', 'parameter "region" cannot be ""'],
  ['s3://b?region=a&region=b', 'parameter "region" is given twice'],
  ['s3://b?fips=perhaps', 'parameter "fips" cannot be "perhaps"'],
  ['s3://b?awssdk=v3', 'parameter "awssdk" cannot be "v3"'],
  ['s3://b?ssetype=rot13', 'parameter "ssetype" cannot be "rot13"'],
  ['s3://b?kmskeyid=k', 'parameter "kmskeyid" needs "ssetype"'],
  ['s3://b?ssetype=AES256&kmskeyid=k', 'parameter "kmskeyid" has no meaning'],
  ['s3://b?rate_limiter_capacity=0', 'parameter "rate_limiter_capacity" cannot be "0"'],
  ['s3://b?request_checksum_calculation=always', 'cannot be "always"'],
  ['s3://b?endpoint=ftp://h', 'parameter "endpoint" is not the address of a server'],
  ['s3://b?endpoint=https://h&accelerate=true', '"endpoint" and "accelerate" cannot be combined'],
  ['s3://b?endpoint=https://h&dualstack=true', '"endpoint" and "dualstack" cannot be combined'],
  ['s3://b?accelerate=true&s3ForcePathStyle=true', 'cannot be combined'],
  ['s3://b?anonymous=true&profile=p', 'cannot be combined'],
  ['s3://b/%zz', 'broken % escape'],
  ['s3://AK:hunter2@b', 'it has a user before the bucket'],
  ['s3://b?endpoint=https://AK:hunter2@h', 'parameter "endpoint" has a user in it'],
])('%s is refused: %s', (url, reason) => {
  let error: unknown;
  try {
    parseS3Url(url, {});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ diagnostics: [{ code: 'CAIRN-BACKEND-URL' }] });
  expect(String(error)).toContain(reason);
  expect(JSON.stringify(error)).not.toContain('hunter2');
});

test("a copy's source is escaped part by part", () => {
  expect(copySource('b', 'a+b/c d/é%/(x)!*')).toBe('b/a%2Bb/c%20d/%C3%A9%25/%28x%29%21%2A');
});
