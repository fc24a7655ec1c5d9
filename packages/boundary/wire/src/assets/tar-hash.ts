import { createHash } from 'node:crypto';
import { END, fileHeader, padding } from './tar-header.js';
import { AssetError } from './asset-error.js';

/** The hash of a tar stream while it is made. Nothing of the stream is kept. */
export class TarHash {
  readonly #hash = createHash('sha256');
  readonly #names = new Set<string>();
  #size = 0;

  /** Begins a file of `size` bytes. False: there is one of that name already, and this one is left out. */
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

  /** More bytes of the file that was begun last. */
  add(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** All bytes of the file were added. */
  end(): void {
    this.#hash.update(padding(this.#size));
  }

  /** Hex SHA-256 of the whole stream; nothing can be added after. */
  digest(): string {
    return this.#hash.update(END).digest('hex');
  }
}
