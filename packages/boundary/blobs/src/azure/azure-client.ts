import { createHash } from 'node:crypto';
import type { BlobItem, BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import type {
  Blob,
  BlobInfo,
  CopyCondition,
  CopyResult,
  DeleteResult,
  PreconditionReason,
  PutCondition,
  PutResult,
} from '../blob-store.js';
import type { ListPage, ObjectClient } from '../object/object-client.js';
import { ObjectFailure } from '../object/object-client.js';
import { azureAnswer, azureFailure } from './azure-failure.js';

/** `url` is the address as typed, fit for display. `mask` removes the credentials from a text. */
interface AzureClientOptions {
  readonly url: string;
  readonly container: () => Promise<ContainerClient>;
  readonly containerName: string;
  readonly mask: (text: string) => string;
  /** Number of rows in one page. */
  readonly pageSize?: number;
  /** Milliseconds, instead of the usual limits. For tests. */
  readonly timeLimitMs?: number;
}

/** Milliseconds for a request and its answer: a fixed part, and one for each MiB. */
const TIME_LIMIT = { fixedMs: 30_000, perMiB: 8_000, readMs: 300_000, copyMs: 300_000 } as const;
/** Milliseconds between polls of a copy that takes longer. */
const COPY_LOOK_MS = 200;

/**
 * Azure Blob storage by its SDK, as block blobs written whole. A version is an ETag. An upload has the MD5 of its
 * bytes, which the server checks and keeps. A whole read is checked against it.
 */
export class AzureClient implements ObjectClient {
  readonly url: string;
  #opened: Promise<ContainerClient> | undefined;
  readonly #options: AzureClientOptions;

  constructor(options: AzureClientOptions) {
    this.#options = options;
    this.url = options.url;
  }

  get(key: string, from = 0, most?: number): Promise<Blob | undefined> {
    return this.#attempt(async () => {
      const blob = await this.#blob(key);
      try {
        return await this.#download(blob, from, most);
      } catch (thrown) {
        const answer = azureAnswer(thrown);
        if (answer?.status === 416) return this.#describeEmpty(blob);
        if (isBlobMissing(answer)) return undefined;
        throw thrown;
      }
    });
  }

  put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    return this.#attempt(async () => {
      const blob = await this.#blob(key);
      const hash = md5(bytes);
      try {
        const { etag } = await blob.upload(viewOf(bytes), bytes.length, {
          abortSignal: this.#limit(TIME_LIMIT.fixedMs + (TIME_LIMIT.perMiB * bytes.length) / 2 ** 20),
          conditions: {
            ...(condition.ifAbsent === true ? { ifNoneMatch: '*' } : {}),
            ...(condition.ifVersion === undefined ? {} : { ifMatch: condition.ifVersion }),
          },
          blobHTTPHeaders: { blobContentType: 'application/octet-stream' },
          ...(hash === undefined ? {} : { transactionalContentMD5: hash }),
        });
        return { ok: true, version: told(etag, 'ETag') };
      } catch (thrown) {
        const reason = brokenCondition(thrown, condition);
        if (reason !== undefined) return { ok: false, reason };
        throw thrown;
      }
    });
  }

  listPage(prefix: string, token?: string): Promise<ListPage> {
    return this.#attempt(async () => {
      const pages = (await this.#container())
        .listBlobsFlat({ prefix, abortSignal: this.#limit(TIME_LIMIT.fixedMs) })
        .byPage({
          ...(token === undefined ? {} : { continuationToken: token }),
          ...(this.#options.pageSize === undefined ? {} : { maxPageSize: this.#options.pageSize }),
        });
      const { value } = await pages.next();
      const { segment, continuationToken } = value as {
        segment: { blobItems: readonly BlobItem[] };
        continuationToken?: string;
      };
      const rows = segment.blobItems.filter(isContent).map(asRow);
      return { rows, ...(continuationToken ? { next: continuationToken } : {}) };
    });
  }

  delete(key: string, condition: { readonly ifVersion?: string } = {}): Promise<DeleteResult> {
    return this.#attempt(async () => {
      const blob = await this.#blob(key);
      try {
        await blob.delete({
          abortSignal: this.#limit(TIME_LIMIT.fixedMs),
          deleteSnapshots: 'include',
          ...(condition.ifVersion === undefined ? {} : { conditions: { ifMatch: condition.ifVersion } }),
        });
        return { ok: true, existed: true };
      } catch (thrown) {
        if (isBlobMissing(azureAnswer(thrown)))
          return condition.ifVersion === undefined
            ? { ok: true, existed: false }
            : { ok: false, reason: 'missing' };
        const reason = brokenCondition(thrown, condition);
        if (reason !== undefined) return { ok: false, reason };
        throw thrown;
      }
    });
  }

  /** Copies a blob. Within an account the server has mostly finished when it answers; a longer copy is awaited. */
  copy(from: string, to: string, { ifVersion }: CopyCondition = {}): Promise<CopyResult> {
    return this.#attempt(async () => {
      const [source, target] = [await this.#blob(from), await this.#blob(to)];
      try {
        const copying = await target.beginCopyFromURL(source.url, {
          intervalInMs: COPY_LOOK_MS,
          abortSignal: this.#limit(TIME_LIMIT.copyMs),
          ...(ifVersion === undefined ? {} : { sourceConditions: { ifMatch: ifVersion } }),
        });
        const { copyStatus, copyId } = await copying.pollUntilDone();
        if (copyStatus === 'success') return { ok: true };
        throw new ObjectFailure('unavailable', `the copy ended as ${String(copyStatus)} (${String(copyId)})`);
      } catch (thrown) {
        const answer = azureAnswer(thrown);
        if (isBlobMissing(answer) || isSourceMissing(answer)) return { ok: false, reason: 'missing' };
        if (ifVersion !== undefined && isOtherSource(answer)) return { ok: false, reason: 'changed' };
        throw thrown;
      }
    });
  }

  async close(): Promise<void> {
    this.#opened = undefined;
  }

  #container(): Promise<ContainerClient> {
    this.#opened ??= this.#options.container();
    return this.#opened;
  }

  async #blob(key: string): Promise<BlockBlobClient> {
    return (await this.#container()).getBlockBlobClient(key);
  }

  async #download(blob: BlockBlobClient, from: number, most: number | undefined): Promise<Blob> {
    const answer = await blob.download(from, most, {
      abortSignal: this.#limit(TIME_LIMIT.readMs),
      maxRetryRequests: 0,
    });
    const bytes = await collect(answer.readableStreamBody);
    if (answer.contentLength !== undefined && bytes.length !== answer.contentLength)
      throw new ObjectFailure('unavailable', `${bytes.length} of ${answer.contentLength} bytes arrived`);
    if (from === 0 && most === undefined) checkSum(bytes, answer.contentMD5);
    return {
      bytes,
      version: told(answer.etag, 'ETag'),
      modified: told(answer.lastModified, 'Last-Modified').getTime(),
    };
  }

  /** Returns an empty read past the end of a blob, with the version that exists. */
  async #describeEmpty(blob: BlockBlobClient): Promise<Blob | undefined> {
    try {
      const { etag, lastModified } = await blob.getProperties({
        abortSignal: this.#limit(TIME_LIMIT.fixedMs),
      });
      const modified = told(lastModified, 'Last-Modified').getTime();
      return { bytes: new Uint8Array(), version: told(etag, 'ETag'), modified };
    } catch (thrown) {
      if (isBlobMissing(azureAnswer(thrown))) return undefined;
      throw thrown;
    }
  }

  #limit(ms: number): AbortSignal {
    return AbortSignal.timeout(Math.ceil(this.#options.timeLimitMs ?? ms));
  }

  async #attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (thrown) {
      if (thrown instanceof ObjectFailure) throw thrown;
      throw azureFailure(thrown, this.#options.containerName, this.#options.mask);
    }
  }
}

type Answer = ReturnType<typeof azureAnswer>;

/**
 * Recognises a missing blob. The answer to a HEAD request has no body, so its code may be unknown; a missing container
 * always has one.
 */
function isBlobMissing(answer: Answer): boolean {
  return answer?.status === 404 && (answer.code === 'BlobNotFound' || answer.code === '');
}

function isSourceMissing(answer: Answer): boolean {
  return answer?.status === 404 && answer.code === 'CannotVerifyCopySource';
}

function isOtherSource(answer: Answer): boolean {
  return answer?.status === 412 && /^(SourceConditionNotMet|ConditionNotMet)?$/.test(answer.code);
}

/** Returns the reason of a failed condition. A lease also answers 412; that is not a condition of Cairn's. */
function brokenCondition(thrown: unknown, condition: PutCondition): PreconditionReason | undefined {
  const answer = azureAnswer(thrown);
  if (answer?.status === 409 && answer.code === 'BlobAlreadyExists') return 'exists';
  if (answer?.status !== 412 || !/^(ConditionNotMet|TargetConditionNotMet)?$/.test(answer.code))
    return undefined;
  return condition.ifAbsent === true ? 'exists' : 'changed';
}

/** Excludes folders, which accounts with a hierarchical namespace also list. */
function isContent({ properties }: BlobItem): boolean {
  return (properties as { resourceType?: string }).resourceType !== 'directory';
}

/** Returns the row of an object. Listings have the tag without its quotes. */
function asRow({ name, properties }: BlobItem): BlobInfo {
  const { contentLength: size = 0, lastModified, etag } = properties;
  const version = etag.startsWith('"') ? etag : `"${etag}"`;
  return { key: name, size, modified: lastModified.getTime(), version };
}

function told<T>(value: T | undefined, header: string): T {
  if (value !== undefined) return value;
  throw new ObjectFailure('protocol', `not an answer of Blob storage: it has no ${header}`);
}

/** Limits the bytes to the view; otherwise the SDK takes the whole memory behind it. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

async function collect(stream: NodeJS.ReadableStream | undefined): Promise<Uint8Array> {
  if (stream === undefined) return new Uint8Array();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Returns undefined if the machine's rules forbid MD5. */
function md5(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return createHash('md5').update(bytes).digest();
  } catch {
    return undefined;
  }
}

function checkSum(bytes: Uint8Array, expected: Uint8Array | undefined): void {
  const actual = expected === undefined ? undefined : md5(bytes);
  if (expected === undefined || actual === undefined || Buffer.compare(actual, expected) === 0) return;
  throw new ObjectFailure('unavailable', 'the bytes that arrived are not those stored (MD5)');
}
