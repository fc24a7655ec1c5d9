import { createHash, createHmac } from 'node:crypto';
import type { ServerRequest } from './http-server.js';

/** Credentials for a server of AWS's protocols, and the server's place. */
export interface AwsIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly region: string;
  readonly service: string;
}

/** Reason for an invalid signature, in AWS's error codes. */
type SignatureFault =
  | 'MissingAuthenticationToken'
  | 'IncompleteSignature'
  | 'UnrecognizedClientException'
  | 'ExpiredTokenException'
  | 'InvalidSignatureException';

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks the signature of a request (AWS Signature Version 4, in headers). Returns undefined if it is valid. The
 * payload's hash is computed from the received body, or taken from `x-amz-content-sha256` if that marks it as unsigned.
 */
export function signatureFault(request: ServerRequest, identity: AwsIdentity): SignatureFault | undefined {
  const authorization = headerOf(request, 'authorization');
  if (authorization === undefined) return 'MissingAuthenticationToken';
  const [, accessKeyId, date = '', region, service, names = '', signature] =
    AUTHORIZATION.exec(authorization) ?? [];
  const stamp = headerOf(request, 'x-amz-date') ?? '';
  if (signature === undefined || !stamp.startsWith(date)) return 'IncompleteSignature';
  if (accessKeyId !== identity.accessKeyId) return 'UnrecognizedClientException';
  if (headerOf(request, 'x-amz-security-token') !== identity.sessionToken) return 'ExpiredTokenException';
  if (region !== identity.region || service !== identity.service) return 'InvalidSignatureException';
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonicalRequest(request, names))].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (secret, part) => hmac(secret, part),
    Buffer.from(`AWS4${identity.secretAccessKey}`),
  );
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'InvalidSignatureException';
}

function canonicalRequest(request: ServerRequest, signedNames: string): string {
  const { method, url, body } = request;
  const query = [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join('&');
  const names = signedNames.split(';');
  const headers = names.map(
    (name) => `${name}:${(headerOf(request, name) ?? '').trim().replace(/ +/g, ' ')}\n`,
  );
  const declared = headerOf(request, 'x-amz-content-sha256');
  const payload = declared !== undefined && !/^[0-9a-f]{64}$/.test(declared) ? declared : sha256(body);
  return [method, url.pathname, query, headers.join(''), signedNames, payload].join('\n');
}

function headerOf({ headers }: ServerRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function strict(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
