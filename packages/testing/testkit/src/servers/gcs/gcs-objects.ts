import { createHash } from 'node:crypto';
import { crc32c } from './crc32c.js';
import { GcsRefusal } from './gcs-replies.js';

/**
 * One object. `generation` is that of its content. `metageneration` is always 1, because the server has no metadata
 * updates.
 */
export interface GcsObject {
  readonly bucket: string;
  readonly name: string;
  readonly bytes: Buffer;
  readonly generation: bigint;
  readonly updated: Date;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Metadata in an upload, besides the bytes. */
export interface ObjectMetadata {
  readonly name?: string;
  readonly contentType?: string;
  readonly contentEncoding?: string;
  readonly crc32c?: string;
  readonly md5Hash?: string;
}

/** One page of a listing. */
interface ObjectPage {
  readonly items: readonly GcsObject[];
  readonly prefixes: readonly string[];
  readonly next: string | undefined;
}

/**
 * The buckets and their objects. Generations increase throughout the server and look like microseconds, as the real
 * ones do.
 */
export class GcsObjects {
  readonly #buckets = new Map<string, Map<string, GcsObject>>();
  #lastGeneration = BigInt(Date.now()) * 1000n;

  constructor(names: readonly string[]) {
    for (const name of names) this.#buckets.set(name, new Map());
  }

  /** Returns the objects of a bucket. Throws a 404 if there is none. */
  bucket(name: string): Map<string, GcsObject> {
    const found = this.#buckets.get(name);
    if (found === undefined) throw new GcsRefusal(404, 'notFound', 'The specified bucket does not exist.');
    return found;
  }

  /** Returns the object. Throws a 404 if there is none. `generation` selects this one only. */
  object(bucket: string, name: string, generation?: string | null): GcsObject {
    const found = this.bucket(bucket).get(name);
    if (found === undefined || (generation && String(found.generation) !== generation))
      throw new GcsRefusal(404, 'notFound', `No such object: ${bucket}/${name}`);
    return found;
  }

  /** Writes the object if the conditions in the query hold and the bytes match the sender's checksums. */
  write(
    bucket: string,
    name: string,
    bytes: Buffer,
    said: ObjectMetadata,
    query: URLSearchParams,
  ): GcsObject {
    const objects = this.bucket(bucket);
    checkConditions(query, objects.get(name));
    checkHashes(bytes, said);
    const object = {
      bucket,
      name,
      bytes: Buffer.from(bytes),
      generation: this.#nextGeneration(),
      updated: new Date(),
      contentType: said.contentType,
      contentEncoding: said.contentEncoding,
    };
    objects.set(name, object);
    return object;
  }

  /** Deletes the object if the conditions in the query hold. Throws a 404 if there is none. */
  delete(bucket: string, name: string, query: URLSearchParams): void {
    const objects = this.bucket(bucket);
    const found = objects.get(name);
    if (found === undefined) throw new GcsRefusal(404, 'notFound', `No such object: ${bucket}/${name}`);
    checkConditions(query, found);
    objects.delete(name);
  }

  /** Returns a page of the names in byte order. The token is the last name of the previous page. */
  list(bucket: string, query: URLSearchParams, pageSize: number): ObjectPage {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('pageToken');
    const from = after === null ? undefined : Buffer.from(after, 'base64url');
    const items: GcsObject[] = [];
    const prefixes = new Set<string>();
    for (const object of [...this.bucket(bucket).values()].sort(byName)) {
      if (!object.name.startsWith(prefix)) continue;
      if (from !== undefined && Buffer.compare(Buffer.from(object.name), from) <= 0) continue;
      if (items.length + prefixes.size === pageSize)
        return { items, prefixes: [...prefixes], next: lastName(items, prefixes) };
      const folder = folderOf(object.name, prefix, query.get('delimiter'));
      if (folder === undefined) items.push(object);
      else prefixes.add(folder);
    }
    return { items, prefixes: [...prefixes], next: undefined };
  }

  #nextGeneration(): bigint {
    const now = BigInt(Date.now()) * 1000n;
    this.#lastGeneration = now > this.#lastGeneration ? now : this.#lastGeneration + 1n;
    return this.#lastGeneration;
  }
}

/**
 * Checks the conditions of the JSON API: 412 if a `Match` fails, 304 if a `NotMatch` fails on a read. A missing object
 * has generation 0.
 */
export function checkConditions(query: URLSearchParams, current: GcsObject | undefined, read = false): void {
  const have = {
    ifGeneration: current === undefined ? '0' : String(current.generation),
    ifMetageneration: current === undefined ? '0' : '1',
  };
  for (const [condition, value] of Object.entries(have)) {
    const wanted = query.get(`${condition}Match`);
    if (wanted !== null && wanted !== value) throw conditionFailed(412);
    const unwanted = query.get(`${condition}NotMatch`);
    if (unwanted !== null && unwanted === value) throw conditionFailed(read ? 304 : 412);
  }
}

/** Checks the conditions on the source of a copy. */
export function checkSource(query: URLSearchParams, { generation }: GcsObject): void {
  const wanted = query.get('ifSourceGenerationMatch');
  const unwanted = query.get('ifSourceGenerationNotMatch');
  if ((wanted ?? String(generation)) !== String(generation) || unwanted === String(generation))
    throw conditionFailed(412);
}

/** Returns the JSON API's description of the object. */
export function describeObject(object: GcsObject): Record<string, unknown> {
  return {
    kind: 'storage#object',
    id: `${object.bucket}/${object.name}/${object.generation}`,
    name: object.name,
    bucket: object.bucket,
    generation: String(object.generation),
    metageneration: '1',
    contentType: object.contentType,
    contentEncoding: object.contentEncoding,
    storageClass: 'STANDARD',
    size: String(object.bytes.length),
    md5Hash: md5(object.bytes),
    crc32c: crc32c(object.bytes),
    etag: Buffer.from(String(object.generation)).toString('base64'),
    timeCreated: object.updated.toISOString(),
    updated: object.updated.toISOString(),
  };
}

/** Returns the MD5 of the bytes in base64. */
export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}

function conditionFailed(status: number): GcsRefusal {
  return new GcsRefusal(
    status,
    'conditionNotMet',
    'At least one of the pre-conditions you specified did not hold.',
  );
}

function checkHashes(bytes: Buffer, said: ObjectMetadata): void {
  const claims: readonly (readonly [string, string | undefined, string])[] = [
    ['CRC32C', said.crc32c, crc32c(bytes)],
    ['MD5', said.md5Hash, md5(bytes)],
  ];
  for (const [hash, claimed, actual] of claims) {
    if (claimed !== undefined && claimed !== actual)
      throw new GcsRefusal(
        400,
        'invalid',
        `Provided ${hash} "${claimed}" doesn't match calculated ${hash} "${actual}".`,
      );
  }
}

function byName(a: GcsObject, b: GcsObject): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

function folderOf(name: string, prefix: string, delimiter: string | null): string | undefined {
  if (delimiter === null || delimiter === '') return undefined;
  const end = name.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : name.slice(0, end + delimiter.length);
}

/** Returns the page token. It must sort after every name on the page: a folder covers all names below it. */
function lastName(items: readonly GcsObject[], prefixes: ReadonlySet<string>): string {
  const last = [...items.map(({ name }) => name), ...[...prefixes].map((folder) => `${folder}\u{10ffff}`)]
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .at(-1);
  return Buffer.from(last ?? '').toString('base64url');
}
