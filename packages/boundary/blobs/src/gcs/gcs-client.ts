import { randomUUID } from 'node:crypto';
import type { CRC32C } from '@google-cloud/storage';
import type {
  Blob,
  BlobInfo,
  CopyCondition,
  CopyResult,
  DeleteResult,
  PutCondition,
  PutResult,
} from '../blob-store.js';
import { rangeOf } from '../object/byte-range.js';
import type { ListPage, ObjectClient } from '../object/object-client.js';
import { ObjectFailure } from '../object/object-client.js';
import type { GcsAnswer, GcsExchange, GcsRequest } from './gcs-exchange.js';
import { complaintOf, gcsFailure, isBucketMissing } from './gcs-failure.js';

/** `url` is the address as typed, fit for display. */
interface GcsClientOptions {
  readonly url: string;
  readonly bucket: string;
  readonly exchange: GcsExchange;
  /** Number of rows in one page. */
  readonly pageSize?: number;
}

/** Requested fields of an object in the JSON API. */
interface ObjectRow {
  readonly name: string;
  readonly size: string;
  readonly updated: string;
  readonly generation: string;
}

/**
 * Google Cloud Storage by its JSON API. A version is an object's generation. An upload is one request of two parts,
 * with the CRC-32C of the bytes, which the server checks. A whole read is checked against the server's. Objects are
 * read as they were stored, without unpacking.
 */
export class GcsClient implements ObjectClient {
  readonly url: string;
  readonly #bucket: string;
  readonly #exchange: GcsExchange;
  readonly #objects: string;
  readonly #options: GcsClientOptions;

  constructor(options: GcsClientOptions) {
    this.#options = options;
    this.url = options.url;
    this.#bucket = options.bucket;
    this.#exchange = options.exchange;
    this.#objects = `/storage/v1/b/${encodeURIComponent(options.bucket)}/o`;
  }

  async get(key: string, from = 0, most?: number): Promise<Blob | undefined> {
    const range = rangeOf(from, most);
    const answer = await this.#exchange.send({
      method: 'GET',
      path: this.#pathOf(key),
      query: { alt: 'media' },
      ...(range && { headers: { range } }),
    });
    if (answer.status === 416 && range !== undefined) return this.#describeEmpty(key);
    if (this.#isMissing(answer)) return undefined;
    this.#expect(answer, 200, 206);
    const version = answer.headers['x-goog-generation'];
    const modified = Date.parse(answer.headers['last-modified'] ?? '');
    if (version === undefined || Number.isNaN(modified)) throw notTheirs(answer);
    // A server that does not know ranges sends everything.
    const end = most === undefined ? undefined : from + most;
    const bytes = answer.status === 200 ? answer.body.subarray(from, end) : answer.body;
    if (answer.status === 200) await checkSum(answer);
    return { bytes, version, modified };
  }

  async put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    const generation = condition.ifAbsent === true ? '0' : condition.ifVersion;
    const answer = await this.#exchange.send({
      method: 'POST',
      path: `/upload${this.#objects}`,
      query: { uploadType: 'multipart', name: key, ifGenerationMatch: generation, fields: 'generation' },
      ...(await multipart(bytes)),
    });
    if (answer.status === 412)
      return { ok: false, reason: condition.ifAbsent === true ? 'exists' : 'changed' };
    return { ok: true, version: this.#read<ObjectRow>(answer, 'generation').generation };
  }

  async listPage(prefix: string, token?: string): Promise<ListPage> {
    const answer = await this.#exchange.send({
      method: 'GET',
      path: this.#objects,
      query: {
        prefix,
        pageToken: token,
        maxResults: this.#options.pageSize === undefined ? undefined : String(this.#options.pageSize),
        fields: 'kind,nextPageToken,items(name,size,updated,generation)',
      },
    });
    const page = this.#read<{ items?: readonly ObjectRow[]; nextPageToken?: string }>(answer, 'kind');
    return {
      rows: (page.items ?? []).map(asRow),
      ...(page.nextPageToken === undefined ? {} : { next: page.nextPageToken }),
    };
  }

  async delete(key: string, condition: { readonly ifVersion?: string } = {}): Promise<DeleteResult> {
    const answer = await this.#exchange.send({
      method: 'DELETE',
      path: this.#pathOf(key),
      query: { ifGenerationMatch: condition.ifVersion },
    });
    if (answer.status === 412) return { ok: false, reason: 'changed' };
    if (this.#isMissing(answer))
      return condition.ifVersion === undefined
        ? { ok: true, existed: false }
        : { ok: false, reason: 'missing' };
    this.#expect(answer, 200, 204);
    return { ok: true, existed: true };
  }

  /** Copies an object. Large objects need several calls, each of which continues where the previous one stopped. */
  async copy(from: string, to: string, { ifVersion }: CopyCondition = {}): Promise<CopyResult> {
    const target = `${this.#pathOf(from)}/rewriteTo/b/${encodeURIComponent(this.#bucket)}/o/${encodeURIComponent(to)}`;
    for (let rewriteToken: string | undefined; ;) {
      const request: GcsRequest = {
        method: 'POST',
        path: target,
        query: { rewriteToken, ifSourceGenerationMatch: ifVersion, fields: 'done,rewriteToken' },
      };
      const answer = await this.#exchange.send(request);
      if (this.#isMissing(answer)) return { ok: false, reason: 'missing' };
      if (answer.status === 412) return { ok: false, reason: 'changed' };
      const progress = this.#read<{ done: boolean; rewriteToken?: string }>(answer, 'done');
      if (progress.done) return { ok: true };
      if (progress.rewriteToken === undefined) throw notTheirs(answer);
      rewriteToken = progress.rewriteToken;
    }
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }

  #pathOf(key: string): string {
    return `${this.#objects}/${encodeURIComponent(key)}`;
  }

  /** Returns an empty read past the end of an object, with the version that exists. */
  async #describeEmpty(key: string): Promise<Blob | undefined> {
    const answer = await this.#exchange.send({
      method: 'GET',
      path: this.#pathOf(key),
      query: { fields: 'generation,updated' },
    });
    if (this.#isMissing(answer)) return undefined;
    const { generation, updated } = this.#read<ObjectRow>(answer, 'generation');
    return { bytes: new Uint8Array(), version: generation, modified: wholeSeconds(updated) };
  }

  #isMissing(answer: GcsAnswer): boolean {
    return answer.status === 404 && !isBucketMissing(complaintOf(answer));
  }

  #expect(answer: GcsAnswer, ...good: readonly number[]): void {
    if (!good.includes(answer.status)) throw gcsFailure(answer, this.#bucket);
  }

  /** Parses the answer's JSON, which must have `member`; anything else is not from Cloud Storage. */
  #read<T>(answer: GcsAnswer, member: (keyof T & string) | 'kind'): T {
    this.#expect(answer, 200);
    try {
      const read: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
      if (typeof read === 'object' && read !== null && member in read) return read as T;
    } catch {
      // Reported below.
    }
    throw notTheirs(answer);
  }
}

function asRow({ name, size, updated, generation }: ObjectRow): BlobInfo {
  return { key: name, size: Number(size), modified: wholeSeconds(updated), version: generation };
}

/** Returns milliseconds since the epoch, cut to whole seconds: media answers contain no more. */
function wholeSeconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000) * 1000;
}

function notTheirs({ status, headers, body }: GcsAnswer): ObjectFailure {
  const type = headers['content-type'] ?? 'no content type';
  const beginning = Buffer.from(body.subarray(0, 100)).toString('utf8').trim();
  return new ObjectFailure('protocol', `not an answer of Cloud Storage (${type}): ${beginning}`, {
    status,
    next: 'Check STORAGE_EMULATOR_HOST, proxies and log-in pages between here and storage.googleapis.com.',
  });
}

let sums: Promise<new () => CRC32C> | undefined;

async function crc32c(bytes: Uint8Array): Promise<string> {
  sums ??= import('./sdk.js').then((sdk) => sdk.CRC32C);
  const sum = new (await sums)();
  sum.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  return sum.toString();
}

/** Checks the bytes. `x-goog-hash` is of the object as stored, which is the requested form. */
async function checkSum({ headers, body }: GcsAnswer): Promise<void> {
  const expected = /crc32c=([A-Za-z0-9+/=]+)/.exec(headers['x-goog-hash'] ?? '')?.[1];
  if (expected === undefined || (await crc32c(body)) === expected) return;
  throw new ObjectFailure('unavailable', `the bytes that arrived are not those stored (CRC32C ${expected})`);
}

async function multipart(bytes: Uint8Array): Promise<Pick<GcsRequest, 'headers' | 'pieces'>> {
  const boundary = `cairn-${randomUUID()}`;
  const metadata = JSON.stringify({ contentType: 'application/octet-stream', crc32c: await crc32c(bytes) });
  const head = `--${boundary}\r\nContent-Type: application/json\r\n\r\n${metadata}\r\n--${boundary}\r\nContent-Type: application/octet-stream\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    pieces: [Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--`)],
  };
}
