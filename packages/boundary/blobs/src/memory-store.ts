import { BugError } from '@cairn/diagnostics';
import { checkKey, checkPrefix, sortByKey } from './blob-key.js';
import { failedCondition, versionOf } from './blob-version.js';
import { segmentFenced } from './segment-fenced.js';
import type { BlobInfo, BlobStore, PutCondition, PutResult, Segment } from './blob-store.js';

interface Held {
  readonly bytes: Uint8Array;
  readonly modified: number;
}

/** `now` returns milliseconds since the epoch, for modification times. */
interface MemoryStoreOptions {
  readonly now?: () => number;
}

/** Creates a blob store in this process's memory, for tests and for operations that leave nothing behind. */
export function memoryBlobStore(options: MemoryStoreOptions = {}): BlobStore {
  const now = options.now ?? Date.now;
  const blobs = new Map<string, Held>();
  const segments = new Map<string, MemorySegment>();

  const read = (key: string): Held | undefined => segments.get(key)?.held() ?? blobs.get(key);
  const currentVersion = (key: string): string | undefined => {
    const held = read(key);
    return held === undefined ? undefined : versionOf(held.bytes);
  };
  const write = (key: string, bytes: Uint8Array): void => {
    segments.delete(key);
    blobs.set(key, { bytes, modified: now() });
  };
  const put = (key: string, bytes: Uint8Array, condition: PutCondition): PutResult => {
    checkKey(key);
    const conditional = condition.ifAbsent === true || condition.ifVersion !== undefined;
    const reason = conditional ? failedCondition(condition, currentVersion(key)) : undefined;
    if (reason !== undefined) return { ok: false, reason };
    write(key, Uint8Array.from(bytes));
    return { ok: true, version: versionOf(bytes) };
  };

  return {
    url: 'mem://',
    get: async (key) => {
      const held = read(checkKey(key));
      if (held === undefined) return undefined;
      return { bytes: Uint8Array.from(held.bytes), version: versionOf(held.bytes), modified: held.modified };
    },
    getFrom: async (key, offset) => {
      const held = read(checkKey(key));
      return held === undefined ? undefined : Uint8Array.from(held.bytes.subarray(offset));
    },
    put: async (key, bytes, condition = {}) => put(key, bytes, condition),
    list: async (prefix) => {
      checkPrefix(prefix);
      const rows: BlobInfo[] = [];
      for (const key of new Set([...blobs.keys(), ...segments.keys()])) {
        const held = key.startsWith(prefix) ? read(key) : undefined;
        if (held !== undefined) rows.push({ key, size: held.bytes.length, modified: held.modified });
      }
      return sortByKey(rows);
    },
    delete: async (key, condition = {}) => {
      const current = currentVersion(checkKey(key));
      const reason = failedCondition(condition, current);
      if (reason !== undefined) return { ok: false, reason };
      blobs.delete(key);
      segments.delete(key);
      return { ok: true, existed: current !== undefined };
    },
    copy: async (from, to, { ifVersion } = {}) => {
      const held = read(checkKey(from));
      checkKey(to);
      if (held === undefined) return { ok: false, reason: 'missing' };
      if (ifVersion !== undefined && versionOf(held.bytes) !== ifVersion)
        return { ok: false, reason: 'changed' };
      write(to, Uint8Array.from(held.bytes));
      return { ok: true };
    },
    openSegment: async (key) => {
      if (read(checkKey(key)) !== undefined) return { ok: false, reason: 'exists' };
      const segment = new MemorySegment(key, now);
      segments.set(key, segment);
      return { ok: true, segment };
    },
    fenceSegment: async (key) => {
      const segment = segments.get(checkKey(key));
      if (segment === undefined) return;
      const held = segment.held();
      segment.fence();
      segments.delete(key);
      blobs.set(key, held);
    },
    close: async () => undefined,
  };
}

class MemorySegment implements Segment {
  #parts: Uint8Array[] = [];
  #closed = false;
  #fenced = false;
  #modified: number;
  durableSize = 0;
  readonly #now: () => number;

  constructor(
    readonly key: string,
    now: () => number,
  ) {
    this.#now = now;
    this.#modified = now();
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.#closed) throw new BugError(`append to closed segment ${this.key}`);
    if (this.#fenced) throw segmentFenced(this.key);
    this.#parts.push(Uint8Array.from(bytes));
    this.durableSize += bytes.length;
    this.#modified = this.#now();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  fence(): void {
    this.#fenced = true;
  }

  /** Returns all bytes appended so far. Joins the parts once and keeps the result. */
  held(): Held {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)];
    return { bytes: this.#parts[0] ?? new Uint8Array(), modified: this.#modified };
  }
}
