import { randomUUID } from 'node:crypto';
import { BugError } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { checkKey, checkPrefix, sortByKey } from '../blob-key.js';
import type {
  Blob,
  BlobInfo,
  BlobStore,
  BlobVersion,
  CopyCondition,
  CopyResult,
  DeleteCondition,
  DeleteResult,
  OpenSegmentResult,
  PutCondition,
  PutResult,
} from '../blob-store.js';
import { inFlight } from '../in-flight.js';
import { lookingClient } from './looking-client.js';
import { ObjectFailure } from './object-client.js';
import type { ObjectClient } from './object-client.js';
import { objectFailure } from './object-failure.js';
import { ObjectSegment } from './object-segment.js';
import { honoursConditions, unconditionalWarning } from './probe.js';
import { listAll, listParts, readJoined, readJoinedFrom } from './read-segment.js';
import { retryingClient } from './retrying-client.js';
import { systemRetryPorts } from './retrying.js';
import type { ObjectRetryPorts } from './retrying.js';
import { asBlobs, countingParts, isMark, markBytes, MARK_SIZE, partKey, partOf } from './segment-names.js';

/** `prefix` is the prefix of every object name, empty or ending in `/`. `newId` returns a fresh UUID. */
interface ObjectStoreOptions {
  readonly prefix: string;
  readonly retry?: ObjectRetryPorts;
  readonly newId?: () => string;
}

/** Number of objects deleted at the same time if a vendor accepts one name per request. */
const DELETES = 16;

/**
 * Blob store over any vendor's objects. Retries, segments, the fallback for servers without conditional writes, and
 * users' errors are decided here, for all vendors alike.
 */
export class ObjectBlobStore implements BlobStore {
  readonly url: string;
  readonly remote = true;
  #client: ObjectClient;
  readonly #prefix: string;
  readonly #retry: ObjectRetryPorts;
  readonly #newId: () => string;
  #probing: Promise<readonly Diagnostic[]> | undefined;
  #looking = false;
  /** Joins and removals of parts, which only `close` and deletions of segments await. */
  readonly #tidying = new Set<Promise<void>>();
  readonly #vendor: ObjectClient;

  constructor(vendor: ObjectClient, options: ObjectStoreOptions) {
    this.#vendor = vendor;
    this.url = vendor.url;
    this.#prefix = options.prefix;
    this.#retry = options.retry ?? systemRetryPorts;
    this.#newId = options.newId ?? randomUUID;
    this.#client = retryingClient(vendor, this.#retry);
  }

  get(key: string): Promise<Blob | undefined> {
    const name = this.#nameOf(key);
    return this.#attempt(`read "${key}"`, () => readJoined(this.#client, name));
  }

  getFrom(key: string, offset: number): Promise<Uint8Array | undefined> {
    const name = this.#nameOf(key);
    return this.#attempt(`read "${key}"`, () => readJoinedFrom(this.#client, name, offset));
  }

  getStart(key: string, most: number): Promise<Blob | undefined> {
    const name = this.#nameOf(key);
    return this.#attempt(`read "${key}"`, () => this.#client.get(name, 0, most));
  }

  put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    const name = this.#nameOf(key);
    if (condition.ifAbsent === true && condition.ifVersion !== undefined)
      throw new BugError('a put has one condition, not two');
    // A retry must send the bytes of the original call.
    const sent = Uint8Array.from(bytes);
    return this.#attempt(`write "${key}"`, async () => {
      // Without its mark's content a segment would reappear under an empty blob.
      if (sent.length === 0 && condition.ifAbsent !== true) await this.#deleteParts(name);
      const result = await this.#client.put(name, sent, condition);
      return result.ok ? result : this.#withReason(name, result);
    });
  }

  list(prefix: string): Promise<readonly BlobInfo[]> {
    checkPrefix(prefix);
    return this.#attempt(`list "${prefix}"`, async () => {
      const objects = await listAll(this.#client, this.#prefix + prefix);
      const rows = asBlobs(objects).map((row) => ({ ...row, key: row.key.slice(this.#prefix.length) }));
      return sortByKey(rows);
    });
  }

  delete(key: string, condition: DeleteCondition = {}): Promise<DeleteResult> {
    const name = this.#nameOf(key);
    return this.#attempt(`delete "${key}"`, async () => {
      const { ifVersion, segment } = condition;
      if (segment === false && ifVersion === undefined) return this.#client.delete(name);
      await Promise.all(this.#tidying);
      if (ifVersion !== undefined) {
        const there = await readJoined(this.#client, name);
        if (there === undefined) return { ok: false, reason: 'missing' };
        if (there.version !== ifVersion) return { ok: false, reason: 'changed' };
      }
      return this.#deleteObjects(name, ifVersion);
    });
  }

  copy(from: string, to: string, condition: CopyCondition = {}): Promise<CopyResult> {
    const source = this.#nameOf(from);
    const target = this.#nameOf(to);
    return this.#attempt(`copy "${from}" to "${to}"`, async () => {
      const { ifVersion } = condition;
      const copying = this.#client.copy(source, target, condition);
      // The version of a segment is never that of its mark, so an object that has the version is no segment.
      const alone = ifVersion !== undefined && (await copying).ok;
      const [copied, parts] = await Promise.all([copying, alone ? [] : listParts(this.#client, source)]);
      if (parts.length === 0 || (!copied.ok && copied.reason === 'missing')) return copied;
      const joined = await readJoined(this.#client, source);
      if (joined === undefined) return { ok: false, reason: 'missing' };
      if (ifVersion !== undefined && joined.version !== ifVersion) return { ok: false, reason: 'changed' };
      await this.#client.put(target, joined.bytes);
      return { ok: true };
    });
  }

  openSegment(key: string): Promise<OpenSegmentResult> {
    const name = this.#nameOf(key);
    const doing = `append to "${key}"`;
    return this.#attempt(`create "${key}"`, async () => {
      const mark = markBytes(this.#newId());
      const created = await this.#client.put(name, mark, { ifAbsent: true });
      if (!created.ok) return { ok: false, reason: 'exists' };
      const segment = new ObjectSegment(key, {
        putPart: (number, bytes) =>
          this.#attempt(
            doing,
            async () => (await this.#client.put(partKey(name, number), bytes, { ifAbsent: true })).ok,
          ),
        join: async (content, parts) => {
          // One part is as good as one object.
          if (parts > 1) this.#tidy(() => this.#join(name, created.version, content, parts));
        },
        sleep: (ms) => this.#retry.sleep(ms),
      });
      return { ok: true, segment };
    });
  }

  fenceSegment(key: string): Promise<void> {
    const name = this.#nameOf(key);
    return this.#attempt(`take over "${key}"`, async () => {
      const mark = await this.#client.get(name);
      if (mark === undefined || !isMark(mark.bytes)) return;
      await this.#putTombstone(name);
      const content = await readJoined(this.#client, name);
      if (content !== undefined && content.bytes.length > 0)
        await this.#join(name, mark.version, content.bytes);
    });
  }

  checkWrites(scratch: string): Promise<readonly Diagnostic[]> {
    const name = this.#nameOf(scratch);
    this.#probing ??= this.#attempt(`write "${scratch}"`, async () => {
      const client = retryingClient(this.#vendor, this.#retry);
      if (await honoursConditions(client, name, this.#newId())) return [];
      this.#lookFirst();
      return [unconditionalWarning(this.url)];
    }).catch((thrown: unknown) => {
      this.#probing = undefined;
      throw thrown;
    });
    return this.#probing;
  }

  async close(): Promise<void> {
    while (this.#tidying.size > 0) await Promise.all(this.#tidying);
    await this.#client.close();
  }

  #nameOf(key: string): string {
    checkKey(key);
    if (partOf(key) !== undefined) throw new BugError(`bad blob key "${key}": it is the name of a part`);
    return this.#prefix + key;
  }

  /**
   * Runs a request. A server that refuses conditions receives none from then on; the failed request runs again without
   * them.
   */
  async #attempt<T>(doing: string, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (thrown) {
      const unsupported = thrown instanceof ObjectFailure && thrown.kind === 'condition-unsupported';
      if (!unsupported || this.#looking) throw objectFailure(thrown, doing, this.url);
    }
    this.#lookFirst();
    return this.#attempt(doing, run);
  }

  #lookFirst(): void {
    this.#looking = true;
    this.#client = retryingClient(lookingClient(this.#vendor), this.#retry);
  }

  /** Not every server distinguishes a missing object from a changed one. */
  async #withReason(name: string, refused: PutResult & { readonly ok: false }): Promise<PutResult> {
    if (refused.reason !== 'changed') return refused;
    return (await this.#client.get(name)) === undefined ? { ok: false, reason: 'missing' } : refused;
  }

  /**
   * Deletes the parts from the last one on, then the object itself. If this is interrupted, the beginning of the
   * segment remains.
   */
  async #deleteObjects(name: string, ifVersion: BlobVersion | undefined): Promise<DeleteResult> {
    const first = await this.#client.listPage(name);
    const parts =
      first.next === undefined
        ? first.rows.filter((row) => partOf(row.key)?.key === name)
        : await listParts(this.#client, name);
    const base = first.rows.find((row) => row.key === name);
    if (parts.length > 0) await this.#deleteAll(parts.map((part) => part.key).reverse());
    if (base === undefined) return { ok: true, existed: false };
    const condition = ifVersion === undefined || parts.length > 0 ? {} : { ifVersion };
    const deleted = await this.#client.delete(name, condition);
    return deleted.ok ? { ok: true, existed: true } : deleted;
  }

  async #deleteParts(name: string): Promise<void> {
    const parts = await listParts(this.#client, name);
    await this.#deleteAll(parts.map((part) => part.key).reverse());
  }

  async #deleteAll(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    if (names.length > 1 && this.#client.deleteMany !== undefined) return this.#client.deleteMany(names);
    await inFlight(names, DELETES, (name) => this.#client.delete(name));
  }

  /**
   * Replaces the mark by the whole content and removes the parts. A tombstone remains for a process that still has the
   * segment open. The content is safe in any case, so the caller need not know of a failure.
   */
  async #join(
    name: string,
    mark: BlobVersion,
    content: Uint8Array | undefined,
    written?: number,
  ): Promise<void> {
    try {
      const bytes = content ?? (await readJoined(this.#client, name))?.bytes;
      if (bytes === undefined || bytes.length === MARK_SIZE) return;
      if (!(await this.#client.put(name, bytes, { ifVersion: mark })).ok) return;
    } catch {
      return;
    }
    this.#tidy(() => this.#removeParts(name, written));
  }

  #tidy(work: () => Promise<void>): void {
    const tidied = work().finally(() => this.#tidying.delete(tidied));
    this.#tidying.add(tidied);
  }

  /** Removes parts that are joined: those that the writer of the segment has written, or all but tombstones. */
  async #removeParts(name: string, written?: number): Promise<void> {
    try {
      if (written !== undefined)
        return await this.#deleteAll(Array.from({ length: written }, (_, index) => partKey(name, index + 1)));
      const parts = await listParts(this.#client, name);
      await this.#deleteAll(parts.filter((part) => part.size > 0).map((part) => part.key));
    } catch {
      // They are hidden behind the object that has their content; they are removed with it.
    }
  }

  /**
   * Ends a segment with a tombstone in its first gap. If the writer is faster, a tombstone further on blocks its way.
   * Then every number before that tombstone is tried in turn: the first object there wins, a part or a tombstone.
   */
  async #putTombstone(name: string): Promise<void> {
    const parts = await listParts(this.#client, name);
    const gap = countingParts(parts).length + 1;
    const next = parts[gap - 1];
    if (next !== undefined && next.size === 0 && partOf(next.key)?.number === gap) return;
    if (await this.#putEnd(name, gap)) return;
    let bar = gap + BAR_AHEAD;
    while (!(await this.#putEnd(name, bar))) bar += BAR_AHEAD * (bar - gap);
    for (let number = gap + 1; number < bar; number += 1) if (await this.#putEnd(name, number)) return;
  }

  /** Puts a tombstone at a number if nothing is there. Returns true if the number has one afterwards. */
  async #putEnd(name: string, number: number): Promise<boolean> {
    const key = partKey(name, number);
    if ((await this.#client.put(key, new Uint8Array(), { ifAbsent: true })).ok) return true;
    return (await this.#client.get(key))?.bytes.length === 0;
  }
}

/** Number of parts by which a writer cannot be ahead of a listing without being seen. */
const BAR_AHEAD = 16;
