import { createHash } from 'node:crypto';
import { END, fileHeader, padding } from './tar-header.js';
import { AssetError } from './asset-error.js';

/** Computes the hash of a tar stream as it is built. No part of the stream is kept. */
export class TarHash {
  readonly #hash = createHash('sha256');
  readonly #names = new Set<string>();
  #size = 0;

  /**
   * Begins a file of `size` bytes. Returns false if a file of that name exists already; the new one is then left out.
   */
  begin(name: string, size: number): boolean {
    if (this.#names.has(name)) return false;
    if (name === '' || name.endsWith('/') || name.includes('\0')) {
      throw new AssetError(
        `member ${JSON.stringify(name)}`,
        'this cannot be the name of a file in an archive',
      );
    }
    this.#names.add(name);
    this.#hash.update(fileHeader(name, size));
    this.#size = size;
    return true;
  }

  /** Adds bytes to the file that was begun last. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Ends the file after all its bytes were added. */
  end(): void {
    this.#hash.update(padding(this.#size));
  }

  /** Returns the hex SHA-256 of the whole stream. Nothing can be added afterwards. */
  digest(): string {
    return this.#hash.update(END).digest('hex');
  }
}
