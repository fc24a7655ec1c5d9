import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { startHttpServer } from './http-server.js';
import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from './http-server.js';
import { signatureFault } from './sig-v4.js';
import type { AwsIdentity } from './sig-v4.js';

/**
 * Treatment of `If-None-Match` and `If-Match` of writes: as the vendor's, ignored by servers that write all the same,
 * or refused.
 */
type ConditionMode = 'honoured' | 'ignored' | 'refused';

/**
 * `pageSize` is the maximum number of rows on a page of a listing. With `anonymous`, requests without a signature are
 * served too.
 */
export interface S3ServerOptions extends HttpServerOptions {
  readonly buckets?: readonly string[];
  readonly conditions?: ConditionMode;
  readonly pageSize?: number;
  readonly anonymous?: boolean;
  /** True if `If-Match` also applies to deletes, which otherwise ignore it. */
  readonly conditionalDeletes?: boolean;
}

/** One object as the server stores it. `encryption` is the writer's choice. */
interface S3Object {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  readonly encryption: string | undefined;
}

/** A running server of the S3 protocol. `env` contains the environment that a client needs for access. */
export interface S3Server extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  /** Stored objects, by bucket and name. */
  readonly buckets: ReadonlyMap<string, ReadonlyMap<string, S3Object>>;
  /** Returns the address of a bucket. `more` contains further parameters. */
  bucketUrl(bucket: string, prefix?: string, more?: Readonly<Record<string, string>>): string;
}

const IDENTITY: AwsIdentity = {
  accessKeyId: 'TESTACCESSKEY',
  secretAccessKey: 'test/secret+key',
  region: 'us-east-1',
  service: 's3',
};

/**
 * Serves the part of the S3 protocol that a store needs: objects with conditions, ranges, copies, paged listings
 * (version 2), deletes of one and of many. Signatures, digests and checksums are checked. The bucket is the first part
 * of the path.
 */
export async function startS3Server(options: S3ServerOptions = {}): Promise<S3Server> {
  const buckets = new Map((options.buckets ?? ['bucket']).map((name) => [name, new Map<string, S3Object>()]));
  const rules = new S3Rules(buckets, options);
  const server = await startHttpServer((request) => rules.answer(request), options);
  return {
    ...server,
    buckets,
    env: {
      AWS_ACCESS_KEY_ID: IDENTITY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: IDENTITY.secretAccessKey,
      AWS_REGION: IDENTITY.region,
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    bucketUrl: (bucket, prefix = '', more = {}) => {
      const params = new URLSearchParams({ endpoint: server.url, s3ForcePathStyle: 'true', ...more });
      return `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}?${params.toString()}`;
    },
  };
}

type Objects = Map<string, S3Object>;

class S3Rules {
  #stamps = 0;
  readonly #buckets: ReadonlyMap<string, Objects>;
  readonly #options: S3ServerOptions;

  constructor(buckets: ReadonlyMap<string, Objects>, options: S3ServerOptions) {
    this.#buckets = buckets;
    this.#options = options;
  }

  answer(request: ServerRequest): ServerReply {
    const denied = this.#denied(request) ?? damaged(request);
    if (denied !== undefined) return denied;
    const [, bucket = '', ...rest] = request.url.pathname.split('/').map(decodeURIComponent);
    const objects = this.#buckets.get(bucket);
    if (objects === undefined) return failure(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const key = rest.join('/');
    if (key === '') return this.#onBucket(request, bucket, objects);
    switch (request.method) {
      case 'GET':
      case 'HEAD':
        return read(request, objects.get(key));
      case 'PUT':
        return request.headers['x-amz-copy-source'] === undefined
          ? this.#write(request, objects, key)
          : this.#copy(request, objects, key);
      case 'DELETE':
        return this.#remove(request, objects, key);
      default:
        return failure(405, 'MethodNotAllowed', 'The specified method is not allowed against this resource.');
    }
  }

  #denied(request: ServerRequest): ServerReply | undefined {
    const fault = signatureFault(request, IDENTITY);
    switch (fault) {
      case undefined:
        return undefined;
      case 'MissingAuthenticationToken':
        return this.#options.anonymous === true ? undefined : failure(403, 'AccessDenied', 'Access Denied');
      case 'UnrecognizedClientException':
        return failure(403, 'InvalidAccessKeyId', 'The access key does not exist in our records.');
      case 'ExpiredTokenException':
        return failure(400, 'ExpiredToken', 'The provided token has expired.');
      default:
        return failure(403, 'SignatureDoesNotMatch', 'The signature does not match the one calculated here.');
    }
  }

  #onBucket(request: ServerRequest, bucket: string, objects: Objects): ServerReply {
    const { method, url } = request;
    if (method === 'GET' && url.searchParams.get('list-type') === '2')
      return this.#list(url, bucket, objects);
    if (method === 'POST' && url.searchParams.has('delete')) return removeMany(request, objects);
    if (method === 'HEAD') return { status: 200 };
    return failure(
      501,
      'NotImplemented',
      'A header you provided implies functionality that is not implemented',
    );
  }

  #list({ searchParams }: URL, bucket: string, objects: Objects): ServerReply {
    const prefix = searchParams.get('prefix') ?? '';
    const token = searchParams.get('continuation-token');
    const after = token === null ? undefined : Buffer.from(token, 'base64url');
    const most = Math.min(Number(searchParams.get('max-keys') ?? 1000), this.#options.pageSize ?? 1000);
    const rows = [...objects]
      .map(([key, object]) => ({ key, order: Buffer.from(key), object }))
      .filter(({ key, order }) => key.startsWith(prefix) && (after === undefined || order.compare(after) > 0))
      .sort((a, b) => a.order.compare(b.order));
    const page = rows.slice(0, most);
    const next = rows.length > most ? page.at(-1)?.order.toString('base64url') : undefined;
    const contents = page.map(
      ({ key, object }) =>
        `<Contents><Key>${escapeXml(key)}</Key><LastModified>${new Date(object.modified).toISOString()}</LastModified>` +
        `<ETag>${escapeXml(object.etag)}</ETag><Size>${object.bytes.length}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
    );
    return xml(
      200,
      `<ListBucketResult><Name>${escapeXml(bucket)}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${page.length}</KeyCount>` +
        `<MaxKeys>${most}</MaxKeys><IsTruncated>${next !== undefined}</IsTruncated>` +
        `${next === undefined ? '' : `<NextContinuationToken>${next}</NextContinuationToken>`}${contents.join('')}</ListBucketResult>`,
    );
  }

  #write(request: ServerRequest, objects: Objects, key: string): ServerReply {
    const broken = this.#broken(request, objects.get(key));
    if (broken !== undefined) return broken;
    const object = this.#store(objects, key, request.body, request);
    return { status: 200, headers: { etag: object.etag } };
  }

  #copy(request: ServerRequest, objects: Objects, key: string): ServerReply {
    const source = header(request, 'x-amz-copy-source') ?? '';
    const [bucket = '', ...rest] = source.replace(/^\//, '').split('/').map(decodeURIComponent);
    const from = this.#buckets.get(bucket)?.get(rest.join('/'));
    if (from === undefined) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
    const broken = this.#broken(request, from, 'x-amz-copy-source-if-match');
    if (broken !== undefined) return broken;
    const { etag, modified } = this.#store(objects, key, from.bytes, request);
    const date = new Date(modified).toISOString();
    return xml(
      200,
      `<CopyObjectResult><ETag>${escapeXml(etag)}</ETag><LastModified>${date}</LastModified></CopyObjectResult>`,
    );
  }

  #remove(request: ServerRequest, objects: Objects, key: string): ServerReply {
    if (this.#options.conditionalDeletes === true) {
      const broken = this.#broken(request, objects.get(key));
      if (broken !== undefined) return broken;
    }
    objects.delete(key);
    return { status: 204 };
  }

  /** Stores an object. Each write is later than the previous one, by the clock or by a millisecond. */
  #store(objects: Objects, key: string, bytes: Buffer, request: ServerRequest): S3Object {
    this.#stamps = Math.max(this.#stamps + 1, Date.now());
    const sse = header(request, 'x-amz-server-side-encryption');
    const keyId = header(request, 'x-amz-server-side-encryption-aws-kms-key-id');
    const object = {
      bytes: Buffer.from(bytes),
      etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
      modified: this.#stamps,
      encryption: keyId === undefined ? sse : `${sse} ${keyId}`,
    };
    objects.set(key, object);
    return object;
  }

  /** Returns an answer for a condition of the request that does not hold. */
  #broken(
    request: ServerRequest,
    there: S3Object | undefined,
    matching = 'if-match',
  ): ServerReply | undefined {
    const absent = header(request, 'if-none-match');
    const match = header(request, matching);
    if (absent === undefined && match === undefined) return undefined;
    switch (this.#options.conditions ?? 'honoured') {
      case 'ignored':
        return undefined;
      case 'refused':
        return failure(
          501,
          'NotImplemented',
          'A header you provided implies functionality that is not implemented',
        );
      case 'honoured':
        if (match !== undefined && there === undefined)
          return failure(404, 'NoSuchKey', 'The specified key does not exist.');
        return (absent === '*' && there !== undefined) || (match !== undefined && match !== there?.etag)
          ? failure(412, 'PreconditionFailed', 'At least one of the preconditions you specified did not hold')
          : undefined;
    }
  }
}

function read(request: ServerRequest, object: S3Object | undefined): ServerReply {
  if (object === undefined) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
  const headers = { etag: object.etag, 'last-modified': new Date(object.modified).toUTCString() };
  const [, from, last] = /^bytes=(\d+)-(\d*)$/.exec(header(request, 'range') ?? '') ?? [];
  if (from === undefined) return { status: 200, headers, body: object.bytes };
  const { length } = object.bytes;
  const end = Math.min(length, last === '' ? length : Number(last) + 1);
  if (Number(from) >= length)
    return failure(416, 'InvalidRange', 'The requested range is not satisfiable', {
      'content-range': `bytes */${length}`,
    });
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${end - 1}/${length}` },
    body: object.bytes.subarray(Number(from), end),
  };
}

function removeMany(request: ServerRequest, objects: Objects): ServerReply {
  if (header(request, 'content-md5') === undefined && header(request, 'x-amz-checksum-crc32') === undefined)
    return failure(400, 'InvalidRequest', 'Missing required header for this request: Content-MD5');
  for (const [, key = ''] of request.body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g))
    objects.delete(unescapeXml(key));
  return xml(200, '<DeleteResult/>');
}

/** Returns an answer for a body that does not match the headers. */
function damaged(request: ServerRequest): ServerReply | undefined {
  const { body } = request;
  const sha = header(request, 'x-amz-content-sha256');
  if (sha !== undefined && /^[0-9a-f]{64}$/.test(sha) && digest('sha256', body).toString('hex') !== sha)
    return failure(
      400,
      'XAmzContentSHA256Mismatch',
      'The provided SHA-256 does not match what was computed.',
    );
  const md5 = header(request, 'content-md5');
  if (md5 !== undefined && digest('md5', body).toString('base64') !== md5)
    return failure(400, 'BadDigest', 'The Content-MD5 you specified did not match what we received.');
  const crc = header(request, 'x-amz-checksum-crc32');
  const computed = Buffer.alloc(4);
  computed.writeUInt32BE(crc32(body));
  if (crc !== undefined && crc !== computed.toString('base64'))
    return failure(400, 'BadDigest', 'The CRC32 you specified did not match what we received.');
  return undefined;
}

function digest(algorithm: string, bytes: Uint8Array): Buffer {
  return createHash(algorithm).update(bytes).digest();
}

function header({ headers }: ServerRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function failure(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ServerReply {
  const reply = xml(
    status,
    `<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message><RequestId>1</RequestId></Error>`,
  );
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Returns the body of a fault that is an error of the protocol. */
export function s3ErrorBody(code: string, message: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
}

function xml(status: number, body: string): ServerReply {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
  };
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

function unescapeXml(text: string): string {
  return text
    .replace(/&#(x[0-9a-f]+|\d+);/gi, (_all, code: string) =>
      String.fromCodePoint(code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number(code)),
    )
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&');
}
