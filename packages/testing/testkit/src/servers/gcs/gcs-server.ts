import { writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from '../http-server.js';
import { startHttpServer } from '../http-server.js';
import { crc32c } from './crc32c.js';
import { GcsIdentity } from './gcs-identity.js';
import type { GcsObject } from './gcs-objects.js';
import { GcsObjects, checkConditions, checkSource, describeObject, md5 } from './gcs-objects.js';
import { GcsRefusal, json, refusalReply } from './gcs-replies.js';
import { GcsUploads } from './gcs-uploads.js';

/**
 * `buckets` lists the existing ones, by default `bucket`. `pageSize` is the longest page of a listing, by default 1000.
 * `rewriteBytes` is the size that one call of a rewrite copies, by default all of it.
 */
interface GcsServerOptions extends HttpServerOptions {
  readonly buckets?: readonly string[];
  readonly pageSize?: number;
  readonly rewriteBytes?: number;
}

/** A running Cloud Storage. `env` contains the environment that a client needs to find it and to get access. */
export interface GcsServer extends HttpServer {
  readonly env: Readonly<Record<string, string>>;
  readonly identity: GcsIdentity;
  readonly objects: GcsObjects;
  /**
   * Returns the text for `GOOGLE_CREDENTIALS` of a workload that this server knows. Writes the workload's token to the
   * file.
   */
  workload(tokenFile: string): string;
}

/**
 * Serves the part of Google Cloud Storage's JSON API that an object store needs, from memory. It supports the three
 * kinds of uploads, metadata and media with ranges and decompressive transcoding, and listings with prefix, delimiter
 * and pages. It also supports delete, copy, rewrite in several calls, compose, and generations with their four
 * conditions. Hashes are checked on upload, and so are bearer tokens.
 */
export async function startGcsServer(options: GcsServerOptions = {}): Promise<GcsServer> {
  const objects = new GcsObjects(options.buckets ?? ['bucket']);
  const identity = new GcsIdentity();
  const routes = new GcsRoutes(objects, options);
  const server = await startHttpServer((request) => {
    if (request.method === 'POST' && request.url.pathname === '/token') return identity.exchange(request);
    const media = request.url.searchParams.get('alt') === 'media';
    try {
      if (!identity.admits(request)) throw new GcsRefusal(401, 'authError', 'Invalid Credentials');
      return routes.answer(request);
    } catch (thrown) {
      if (thrown instanceof GcsRefusal) return refusalReply(thrown, media);
      throw thrown;
    }
  }, options);
  return {
    ...server,
    identity,
    objects,
    workload: (tokenFile) => {
      writeFileSync(tokenFile, identity.workloadToken);
      return identity.credentialsFile(server.url, tokenFile);
    },
    env: { STORAGE_EMULATOR_HOST: server.url, GOOGLE_OAUTH_ACCESS_TOKEN: identity.issue() },
  };
}

/** The paths below `/storage/v1`, `/upload/storage/v1` and `/download/storage/v1`. */
class GcsRoutes {
  readonly #uploads: GcsUploads;
  readonly #pageSize: number;
  readonly #rewriteBytes: number;
  readonly #objects: GcsObjects;

  constructor(objects: GcsObjects, options: GcsServerOptions) {
    this.#objects = objects;
    this.#uploads = new GcsUploads(objects);
    this.#pageSize = options.pageSize ?? 1000;
    this.#rewriteBytes = options.rewriteBytes ?? Number.POSITIVE_INFINITY;
  }

  answer(request: ServerRequest): ServerReply {
    const path = /^(\/upload|\/download)?\/storage\/v1\/b\/([^/]+)(?:\/o(?:\/(.*))?)?$/.exec(
      request.url.pathname,
    );
    const [, door, rawBucket, rest] = path ?? [];
    if (rawBucket === undefined) throw new GcsRefusal(404, 'notFound', 'Not Found');
    const bucket = decodeURIComponent(rawBucket);
    if (door === '/upload') return this.#uploads.answer(bucket, request);
    if (!/\/o(\/|$)/.test(request.url.pathname)) return this.#describeBucket(bucket);
    if (rest === undefined || rest === '') return this.#list(bucket, request.url.searchParams);
    return this.#object(bucket, rest.split('/').map(decodeURIComponent), request, door === '/download');
  }

  #describeBucket(name: string): ServerReply {
    this.#objects.bucket(name);
    return json({ kind: 'storage#bucket', id: name, name, location: 'EU', storageClass: 'STANDARD' });
  }

  #list(bucket: string, query: URLSearchParams): ServerReply {
    const asked = Number(query.get('maxResults') ?? this.#pageSize);
    const page = this.#objects.list(bucket, query, Math.min(asked, this.#pageSize));
    return json({
      kind: 'storage#objects',
      nextPageToken: page.next,
      prefixes: page.prefixes.length === 0 ? undefined : page.prefixes,
      items: page.items.length === 0 ? undefined : page.items.map(describeObject),
    });
  }

  /** `words` contains the name, and for copies the words after it. A name's own slashes are escaped. */
  #object(bucket: string, words: readonly string[], request: ServerRequest, download: boolean): ServerReply {
    const [name = '', verb, , toBucket = '', , toName = ''] = words;
    const query = request.url.searchParams;
    if (verb === 'rewriteTo' || verb === 'copyTo')
      return this.#copy({ bucket, name, toBucket, toName }, verb, query);
    if (verb === 'compose') return this.#compose(bucket, name, request);
    if (request.method === 'DELETE') {
      this.#objects.delete(bucket, name, query);
      return { status: 204 };
    }
    const object = this.#objects.object(bucket, name, query.get('generation'));
    checkConditions(query, object, true);
    return download || query.get('alt') === 'media' ? media(object, request) : json(describeObject(object));
  }

  #copy(
    way: { bucket: string; name: string; toBucket: string; toName: string },
    verb: 'rewriteTo' | 'copyTo',
    query: URLSearchParams,
  ): ServerReply {
    const source = this.#objects.object(way.bucket, way.name, query.get('sourceGeneration'));
    checkSource(query, source);
    const size = source.bytes.length;
    const before = Number(query.get('rewriteToken') ?? '0');
    const copied = verb === 'copyTo' ? size : Math.min(size, before + this.#rewriteBytes);
    const progress = {
      kind: 'storage#rewriteResponse',
      totalBytesRewritten: String(copied),
      objectSize: String(size),
    };
    if (copied < size) return json({ ...progress, done: false, rewriteToken: String(copied) });
    const { contentType, contentEncoding } = source;
    const said = {
      ...(contentType === undefined ? {} : { contentType }),
      ...(contentEncoding === undefined ? {} : { contentEncoding }),
    };
    const written = this.#objects.write(way.toBucket, way.toName, source.bytes, said, query);
    const resource = describeObject(written);
    return json(verb === 'copyTo' ? resource : { ...progress, done: true, resource });
  }

  #compose(bucket: string, name: string, request: ServerRequest): ServerReply {
    const { sourceObjects } = JSON.parse(request.body.toString('utf8')) as {
      sourceObjects: readonly { name: string; generation?: string }[];
    };
    const sources = sourceObjects.map((one) =>
      this.#objects.object(bucket, one.name, one.generation ?? null),
    );
    const bytes = Buffer.concat(sources.map((source) => source.bytes));
    return json(describeObject(this.#objects.write(bucket, name, bytes, {}, request.url.searchParams)));
  }
}

/** Returns the bytes as stored, or unpacked for a client that does not accept gzip. */
function media(object: GcsObject, { headers }: ServerRequest): ServerReply {
  const packed = object.contentEncoding === 'gzip';
  const unpack = packed && !/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const bytes = unpack ? gunzipSync(object.bytes) : object.bytes;
  const common = {
    'content-type': object.contentType ?? 'application/octet-stream',
    'last-modified': object.updated.toUTCString(),
    etag: Buffer.from(String(object.generation)).toString('base64'),
    'x-goog-generation': String(object.generation),
    'x-goog-metageneration': '1',
    'x-goog-hash': `crc32c=${crc32c(object.bytes)},md5=${md5(object.bytes)}`,
    'x-goog-stored-content-length': String(object.bytes.length),
    'x-goog-stored-content-encoding': object.contentEncoding ?? 'identity',
    ...(packed && !unpack ? { 'content-encoding': 'gzip' } : {}),
  };
  const range = unpack ? null : /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  if (range === null) return { status: 200, headers: common, body: bytes };
  const start = Number(range[1]);
  const end = range[2] === '' ? bytes.length - 1 : Math.min(Number(range[2]), bytes.length - 1);
  if (start >= bytes.length)
    return {
      status: 416,
      headers: { 'content-range': `bytes */${bytes.length}` },
      body: 'Requested range not satisfiable',
    };
  return {
    status: 206,
    headers: { ...common, 'content-range': `bytes ${start}-${end}/${bytes.length}` },
    body: bytes.subarray(start, end + 1),
  };
}
