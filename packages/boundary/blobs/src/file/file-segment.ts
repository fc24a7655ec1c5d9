import { BugError } from '@cairn/diagnostics';
import type { Segment } from '../blob-store.js';
import { segmentFenced } from '../segment-fenced.js';
import type { Disk, DiskFile } from '@cairn/files';
import { storeFailure } from './store-failure.js';

interface Waiting {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of buffers in one vectored write on every platform. */
const MAX_BUFFERS = 1024;

/** Returns the path of the mark next to a segment that was taken over. Listings do not show it. */
export function fencePath(path: string): string {
  return `${path}.fence.tmp`;
}

/**
 * File open for appending. One flush runs at a time: a vectored write of everything that waits, then `fdatasync`. The
 * latter is skipped if the file was opened so that each write is durable (`writeThrough`). Then all of those appends
 * resolve together. Contract: `Segment`. An append counts only if the segment was not fenced after it was written. The
 * segment therefore checks the mark then, and a fencing process reads after it has set the mark.
 */
export class FileSegment implements Segment {
  #waiting: Waiting[] = [];
  #flushing: Promise<void> | undefined;
  #broken: Error | undefined;
  #closing: Promise<void> | undefined;
  durableSize = 0;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #writeThrough: boolean;
  readonly #disk: Pick<Disk, 'isThere' | 'linksOf'>;

  constructor(
    readonly key: string,
    path: string,
    file: DiskFile,
    writeThrough: boolean,
    disk: Pick<Disk, 'isThere' | 'linksOf'>,
  ) {
    this.#path = path;
    this.#file = file;
    this.#writeThrough = writeThrough;
    this.#disk = disk;
  }

  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  append(bytes: Uint8Array): Promise<void> {
    if (this.#closing !== undefined)
      return Promise.reject(new BugError(`append to closed segment ${this.key}`));
    if (this.#broken !== undefined) return Promise.reject(this.#broken);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes, resolve, reject });
      this.#flushing ??= this.#flushAll();
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#flushing;
      await this.#file.close();
    })();
    return this.#closing;
  }

  /** Never rejects: the appends receive the outcome. */
  async #flushAll(): Promise<void> {
    await Promise.resolve(); // appends made in the same turn share the first flush
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BUFFERS);
      try {
        await this.#flush(batch.map((waiting) => waiting.bytes));
        if (await this.#isFenced()) this.#endWith(segmentFenced(this.key), batch);
        else for (const { resolve } of batch) resolve();
      } catch (thrown) {
        await this.#breakWith(thrown, batch);
      }
    }
    this.#flushing = undefined;
  }

  async #flush(buffers: readonly Uint8Array[]): Promise<void> {
    const size = buffers.reduce((sum, bytes) => sum + bytes.length, 0);
    const { bytesWritten } = await this.#file.writev(buffers);
    if (bytesWritten < size) await this.#writeRest(Buffer.concat(buffers), bytesWritten);
    if (!this.#writeThrough) await this.#file.datasync();
    this.durableSize += size;
  }

  async #writeRest(bytes: Uint8Array, from: number): Promise<void> {
    let offset = from;
    while (offset < bytes.length) {
      const { bytesWritten } = await this.#file.write(bytes, offset, bytes.length - offset);
      offset += bytesWritten;
    }
  }

  /**
   * Returns true if the segment is marked, or its file no longer has a name. In the latter case the fencing process has
   * replaced it by a copy, or it was removed.
   */
  async #isFenced(): Promise<boolean> {
    return (
      (await this.#disk.isThere(fencePath(this.#path))) || (await this.#disk.linksOf(this.#file.fd)) === 0
    );
  }

  /** Cuts off remains of a failed write behind the durable bytes. If even that fails, readers find a torn tail. */
  async #breakWith(thrown: unknown, batch: readonly Waiting[]): Promise<void> {
    await this.#file.truncate(this.durableSize).catch(() => undefined);
    this.#endWith(storeFailure(thrown, `append to "${this.key}"`, this.#path), batch);
  }

  #endWith(error: Error, batch: readonly Waiting[]): void {
    this.#broken = error;
    for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error);
  }
}
