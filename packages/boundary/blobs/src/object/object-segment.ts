import { BugError } from '@cairn/diagnostics';
import type { Segment } from '../blob-store.js';
import { segmentFenced } from '../segment-fenced.js';

interface Waiting {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Operations that a segment writes with. */
interface SegmentPorts {
  /**
   * Writes a part if absent. Returns false if another writer, or a process that has taken the segment over, has written
   * it already. Fails with a user's error.
   */
  readonly putPart: (number: number, bytes: Uint8Array) => Promise<boolean>;
  /**
   * Joins the parts into one object at the end. `content` is all of it, or undefined if it was too large to keep. Best
   * effort.
   */
  readonly join: (content: Uint8Array | undefined, parts: number) => Promise<void>;
  /** Resolves after some milliseconds. Never rejects. */
  readonly sleep: (ms: number) => Promise<void>;
}

/** Number of parts under way at the same time. More would shorten no append and make more, smaller objects. */
const PARTS_IN_FLIGHT = 4;

/** Maximum number of bytes in one part before the next one begins. */
const PART_MOST = 8 * 1024 * 1024;

/**
 * After parts of this many bytes, many steps run beside each other, and their next records come together. The size of
 * the largest part counts half with each later one.
 */
const BUSY_BYTES = 8 * 1024;

/** Pause without an append after which a part begins while many steps run, and the most pauses before it does. */
const GATHERING = { ms: 4, most: 15 } as const;

/** Maximum number of bytes that a writer keeps to join its parts without reading them again. */
const KEPT_MOST = 16 * 1024 * 1024;

/**
 * Writer of a segment in an object store. Appends made while parts are under way share the next one. A few parts are
 * under way at the same time. While many steps run, a part waits until no more appends come; the records of a chain of
 * single steps wait for nothing. An append is done when its part and all parts before it are. Contract: `Segment`;
 * names: `segment-names.ts`.
 */
export class ObjectSegment implements Segment {
  #waiting: Waiting[] = [];
  #kept: Uint8Array[] | undefined = [];
  #underWay = 0;
  #written = 0;
  /** Size of the largest part, halved with each later one. */
  #usualBytes = 0;
  #starting = false;
  #broken: unknown;
  #closing: Promise<void> | undefined;
  /** True if a part has failed, in order: parts that settle later lie behind a gap. */
  #failedBefore = false;
  /** Resolves when every part so far is durable or has failed, in order. Never rejects. */
  #settled: Promise<void> = Promise.resolve();
  durableSize = 0;
  readonly #ports: SegmentPorts;

  constructor(
    readonly key: string,
    ports: SegmentPorts,
  ) {
    this.#ports = ports;
  }

  append(bytes: Uint8Array): Promise<void> {
    if (this.#closing !== undefined)
      return Promise.reject(new BugError(`append to closed segment ${this.key}`));
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#startSoon();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    this.#startParts();
    while (this.#waiting.length > 0 || this.#underWay > 0) {
      await Promise.resolve();
      await this.#settled;
    }
    if (this.#broken !== undefined || this.#written === 0) return;
    await this.#ports.join(this.#kept && Buffer.concat(this.#kept), this.#written);
  }

  /** Appends made in the same turn share a part. */
  #startSoon(): void {
    if (this.#starting || this.#waiting.length === 0) return;
    this.#starting = true;
    if (this.#usualBytes < BUSY_BYTES || this.#closing !== undefined)
      queueMicrotask(() => this.#startParts());
    else void this.#gather();
  }

  /** Starts parts when no append has come during a pause, after the most pauses, or when the segment is closed. */
  async #gather(): Promise<void> {
    for (let pauses = 0; pauses < GATHERING.most && this.#starting; pauses += 1) {
      const seen = this.#waiting.length;
      await this.#ports.sleep(GATHERING.ms);
      if (this.#waiting.length === seen) break;
    }
    if (this.#starting) this.#startParts();
  }

  #startParts(): void {
    this.#starting = false;
    while (this.#waiting.length > 0 && this.#underWay < PARTS_IN_FLIGHT) this.#startPart();
  }

  #startPart(): void {
    if (this.#broken !== undefined) return this.#rejectWaiting();
    const batch = this.#takeBatch();
    const bytes = Buffer.concat(batch.map((waiting) => waiting.bytes));
    this.#usualBytes = Math.max(bytes.length, this.#usualBytes / 2);
    // An empty part would be a tombstone: empty appends only wait for those before them.
    if (bytes.length > 0) this.#written += 1;
    this.#underWay += 1;
    const part = bytes.length > 0 ? this.#put(this.#written, bytes) : Promise.resolve();
    part.catch((thrown: unknown) => (this.#broken ??= thrown));
    const before = this.#settled;
    this.#settled = this.#settle(before, part, batch, bytes);
  }

  #takeBatch(): readonly Waiting[] {
    let size = 0;
    const end = this.#waiting.findIndex((waiting, index) => {
      size += waiting.bytes.length;
      return index > 0 && size > PART_MOST;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #put(number: number, bytes: Uint8Array): Promise<void> {
    if (!(await this.#ports.putPart(number, bytes))) throw segmentFenced(this.key);
  }

  async #settle(
    before: Promise<void>,
    part: Promise<void>,
    batch: readonly Waiting[],
    bytes: Uint8Array,
  ): Promise<void> {
    const failure = await part.then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    await before;
    this.#underWay -= 1;
    if (failure !== undefined || this.#failedBefore) {
      this.#failedBefore = true;
      if (failure !== undefined) this.#broken ??= failure.thrown;
      for (const { reject } of batch) reject(this.#broken);
      this.#rejectWaiting();
      return;
    }
    this.durableSize += bytes.length;
    this.#keep(bytes);
    for (const { resolve } of batch) resolve();
    this.#startSoon();
  }

  #keep(bytes: Uint8Array): void {
    if (this.durableSize > KEPT_MOST) this.#kept = undefined;
    this.#kept?.push(bytes);
  }

  #rejectWaiting(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(this.#broken);
  }
}
