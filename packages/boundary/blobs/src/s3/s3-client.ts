import type { S3Client } from '@aws-sdk/client-s3';
import type {
  Blob,
  CopyCondition,
  CopyResult,
  DeleteResult,
  PutCondition,
  PutResult,
} from '../blob-store.js';
import { rangeOf } from '../object/byte-range.js';
import { ObjectFailure } from '../object/object-client.js';
import type { ListPage, ObjectClient } from '../object/object-client.js';
import type { S3Address } from './s3-address.js';
import { errorCodeOf, s3Failure, httpStatusOf } from './s3-failure.js';
import type * as S3 from './sdk.js';

/** Vendor's library, loaded when an address needs it. */
export type S3Library = typeof S3;

/** Result of a failed condition. */
type Refusal = { readonly ok: false; readonly reason: 'missing' | 'changed' };

/** Maximum number of names in one delete request. */
const DELETE_MOST = 1000;

/** Protocol of S3 over the vendor's library. Conditions are `If-None-Match` and `If-Match`; versions are ETags. */
export class S3ObjectClient implements ObjectClient {
  readonly #bucket: string;
  #bareTags = false;
  readonly #looksFirst: boolean;
  /** Comparisons under way, by name and version. Copies of one object share one. */
  readonly #looks = new Map<string, Promise<Refusal | undefined>>();
  readonly #sse: {
    ServerSideEncryption?: 'AES256' | 'aws:kms' | 'aws:kms:dsse';
    SSEKMSKeyId?: string;
  };
  readonly #sdk: S3Library;
  readonly #client: S3Client;

  constructor(
    readonly url: string,
    sdk: S3Library,
    client: S3Client,
    address: Pick<S3Address, 'bucket' | 'encryption' | 'endpoint'>,
  ) {
    this.#sdk = sdk;
    this.#client = client;
    this.#bucket = address.bucket;
    this.#looksFirst = address.endpoint !== undefined;
    const { encryption } = address;
    this.#sse = {
      ...(encryption && { ServerSideEncryption: encryption.type }),
      ...(encryption?.kmsKeyId !== undefined && { SSEKMSKeyId: encryption.kmsKeyId }),
    };
  }

  async get(key: string, from?: number, most?: number): Promise<Blob | undefined> {
    const Range = rangeOf(from, most);
    const command = new this.#sdk.GetObjectCommand({ ...this.#named(key), ...(Range && { Range }) });
    try {
      const { Body, ETag, LastModified, ContentLength } = await this.#client.send(command);
      const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
      if (ContentLength !== undefined && bytes.length !== ContentLength)
        throw new ObjectFailure(
          'unavailable',
          `the answer broke off after ${bytes.length} of ${ContentLength} bytes`,
        );
      // A server that does not know ranges sends everything.
      const asked = most === undefined ? bytes : bytes.subarray(0, most);
      return { bytes: asked, version: ETag ?? '', modified: wholeSeconds(LastModified) };
    } catch (thrown) {
      if (isMissing(thrown)) return undefined;
      if (httpStatusOf(thrown) === 416) return { bytes: new Uint8Array(), version: '', modified: 0 };
      throw s3Failure(thrown, false);
    }
  }

  async put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    const { ifAbsent, ifVersion } = condition;
    const command = new this.#sdk.PutObjectCommand({
      ...this.#named(key),
      ...this.#sse,
      Body: bytes,
      ContentLength: bytes.length,
      ...(ifAbsent === true && { IfNoneMatch: '*' }),
      ...(ifVersion !== undefined && { IfMatch: this.#tagOf(ifVersion) }),
    });
    try {
      const { ETag } = await this.#client.send(command);
      return { ok: true, version: ETag ?? '' };
    } catch (thrown) {
      if (httpStatusOf(thrown) === 412 && ifVersion !== undefined)
        return (await this.#refusal(key, ifVersion)) ?? this.put(key, bytes, { ifVersion });
      if (httpStatusOf(thrown) === 412) return { ok: false, reason: 'exists' };
      if (ifVersion !== undefined && isMissing(thrown)) return { ok: false, reason: 'missing' };
      throw s3Failure(thrown, ifAbsent === true || ifVersion !== undefined);
    }
  }

  /**
   * Returns why a condition did not hold. Some servers compare the condition of a write with their tag without its
   * quotes, so that it never holds. If the tag is right after all, there is no reason, and later conditions are sent
   * without quotes.
   */
  async #refusal(key: string, ifVersion: string): Promise<Refusal | undefined> {
    if (this.#bareTags) return { ok: false, reason: 'changed' };
    const refusal = await this.#otherThan(key, ifVersion);
    this.#bareTags = refusal === undefined;
    return refusal;
  }

  /** Checks if there is another content than that version; undefined if there is not. */
  async #otherThan(key: string, ifVersion: string): Promise<Refusal | undefined> {
    try {
      const { ETag } = await this.#client.send(new this.#sdk.HeadObjectCommand(this.#named(key)));
      return ETag === ifVersion ? undefined : { ok: false, reason: 'changed' };
    } catch (thrown) {
      if (isMissing(thrown)) return { ok: false, reason: 'missing' };
      throw s3Failure(thrown, false);
    }
  }

  /** Same as {@link #otherThan}, shared with other copies that begin while it is under way. */
  #look(key: string, ifVersion: string): Promise<Refusal | undefined> {
    const name = `${ifVersion} ${key}`;
    const look =
      this.#looks.get(name) ?? this.#otherThan(key, ifVersion).finally(() => this.#looks.delete(name));
    this.#looks.set(name, look);
    return look;
  }

  #tagOf(version: string): string {
    return this.#bareTags ? version.replace(/^"(.*)"$/, '$1') : version;
  }

  async listPage(prefix: string, token?: string): Promise<ListPage> {
    const command = new this.#sdk.ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      ...(token !== undefined && { ContinuationToken: token }),
    });
    try {
      const page = await this.#client.send(command);
      const rows = (page.Contents ?? []).map(({ Key, Size, LastModified, ETag }) => ({
        key: Key ?? '',
        size: Size ?? 0,
        modified: wholeSeconds(LastModified),
        ...(ETag !== undefined && { version: ETag }),
      }));
      const next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      return { rows, ...(next !== undefined && { next }) };
    } catch (thrown) {
      throw s3Failure(thrown, false);
    }
  }

  /**
   * Deletes an object. A server that does not know this condition deletes without it: the store has compared before.
   */
  async delete(key: string, condition: { readonly ifVersion?: string } = {}): Promise<DeleteResult> {
    const { ifVersion } = condition;
    const command = new this.#sdk.DeleteObjectCommand({
      ...this.#named(key),
      ...(ifVersion !== undefined && { IfMatch: this.#tagOf(ifVersion) }),
    });
    try {
      await this.#client.send(command);
      return { ok: true, existed: true };
    } catch (thrown) {
      if (httpStatusOf(thrown) === 412) return { ok: false, reason: 'changed' };
      if (isMissing(thrown)) return { ok: true, existed: false };
      if (ifVersion !== undefined && httpStatusOf(thrown) === 501) return this.delete(key);
      throw s3Failure(thrown, false);
    }
  }

  async deleteMany(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += DELETE_MOST) {
      const Objects = keys.slice(from, from + DELETE_MOST).map((Key) => ({ Key }));
      const command = new this.#sdk.DeleteObjectsCommand({
        Bucket: this.#bucket,
        Delete: { Objects, Quiet: true },
      });
      let failed;
      try {
        failed = (await this.#client.send(command)).Errors?.[0];
      } catch (thrown) {
        throw s3Failure(thrown, false);
      }
      if (failed !== undefined) throw s3Failure({ Code: failed.Code, message: failed.Message }, false);
    }
  }

  /**
   * Copies an object. Some servers of other vendors ignore the condition, so it is checked first on all of them, too.
   */
  async copy(from: string, to: string, { ifVersion }: CopyCondition = {}): Promise<CopyResult> {
    const refusal =
      ifVersion !== undefined && this.#looksFirst ? await this.#look(from, ifVersion) : undefined;
    if (refusal !== undefined) return refusal;
    const command = new this.#sdk.CopyObjectCommand({
      ...this.#named(to),
      ...this.#sse,
      CopySource: copySource(this.#bucket, from),
      ...(ifVersion !== undefined && { CopySourceIfMatch: this.#tagOf(ifVersion) }),
    });
    try {
      await this.#client.send(command);
      return { ok: true };
    } catch (thrown) {
      if (isMissing(thrown)) return { ok: false, reason: 'missing' };
      if (httpStatusOf(thrown) === 412 && ifVersion !== undefined)
        return (await this.#refusal(from, ifVersion)) ?? this.copy(from, to, { ifVersion });
      // A server that does not know this condition copies without it, after a comparison.
      if (httpStatusOf(thrown) === 501 && ifVersion !== undefined)
        return (await this.#otherThan(from, ifVersion)) ?? this.copy(from, to);
      throw s3Failure(thrown, false);
    }
  }

  async close(): Promise<void> {
    this.#client.destroy();
  }

  #named(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }
}

/**
 * Returns a copy's source in the form of its header: every part of the path escaped, so that `+` is `%2B` [STORE-1].
 */
export function copySource(bucket: string, key: string): string {
  const escaped = (part: string): string =>
    encodeURIComponent(part).replace(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  return [bucket, ...key.split('/')].map(escaped).join('/');
}

/**
 * Returns milliseconds cut to whole seconds. Reads contain whole seconds, listings more: both are cut, so that they
 * agree.
 */
function wholeSeconds(date: Date | undefined): number {
  return Math.floor((date?.getTime() ?? 0) / 1000) * 1000;
}

/** Recognises that there is no such object. A missing bucket does not count. */
function isMissing(thrown: unknown): boolean {
  const code = errorCodeOf(thrown);
  return code === 'NoSuchKey' || (httpStatusOf(thrown) === 404 && code !== 'NoSuchBucket');
}
