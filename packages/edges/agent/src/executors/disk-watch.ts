import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds between two looks, at least. */
const LOOK_MS = 1_000;
/** A look is at most one part in this many of the time. */
const SHARE = 20;

/** Returns the bytes in folders, and stops counting above `most`. Files that go meanwhile count nothing. */
async function bytesIn(folders: readonly string[], most: number): Promise<number> {
  let bytes = 0;
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && bytes <= most; folder = left.pop()) {
    const entries = await opendir(folder).catch(() => undefined);
    if (entries === undefined) continue;
    try {
      for await (const entry of entries) {
        const file = path.join(folder, entry.name);
        if (entry.isDirectory()) left.push(file);
        // Sizes: the blocks of a file are known only after a while.
        else
          bytes += await lstat(file).then(
            ({ size }) => size,
            () => 0,
          );
        if (bytes > most) break;
      }
    } catch {
      // The folder is gone.
    }
  }
  return bytes;
}

/** Looks at folders again and again while a command runs, and calls back once when they have more than a limit. */
export class DiskWatch {
  readonly #folders: readonly string[];
  readonly #most: number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(folders: readonly string[], most: number, onOver: () => void) {
    this.#folders = folders;
    this.#most = most;
    this.#onOver = onOver;
    this.#plan(LOOK_MS);
  }

  /** Looks for the last time. Resolves with true if the folders have more than the limit. */
  async end(): Promise<boolean> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    return (await bytesIn(this.#folders, this.#most)) > this.#most;
  }

  #plan(ms: number): void {
    if (this.#hasEnded) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    const began = performance.now();
    const isOver = (await bytesIn(this.#folders, this.#most)) > this.#most;
    if (isOver && !this.#hasEnded) this.#onOver();
    else this.#plan(Math.max(LOOK_MS, (performance.now() - began) * SHARE));
  }
}
