import { join } from 'node:path';
import { isAbsent } from '@cairn/files';
import type { Disk } from '@cairn/files';
import type { KeepNames } from './file-store.js';
import { folderNames } from './list-files.js';

/** Names from which on a folder is worth a look at its times. Below that, a listing costs as little. */
const LARGE = 100;
/** Names that are kept, of all folders together. The folders that were listed last keep theirs. */
const MOST_NAMES = 200_000;
/** Time after which the next change of a folder gets another time, in milliseconds. File systems count in steps. */
const SETTLED_MS = 3000;

/**
 * File systems of Linux that keep the time of the last change of a folder, and that no other machine writes to: ext,
 * XFS, Btrfs, ZFS, F2FS, tmpfs and overlayfs, by their magic numbers.
 */
const KEEPING_TIMES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630],
]);

interface KnownFolder {
  /** Times of the folder before it was listed. Undefined if they do not tell whether it has changed since. */
  readonly mark: string | undefined;
  readonly names: readonly string[];
}

/**
 * Names in the folders of a file store. A large folder is listed again only if it has changed, where its file system
 * tells that. The same names are then the same array, which callers must not alter.
 */
class FolderNames {
  readonly #disk: Disk;
  readonly #root: string;
  /** Large folders, in the order in which they were listed. */
  readonly #large = new Map<string, KnownFolder>();
  #keepsTimes: Promise<boolean> | undefined;

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.#root = root;
  }

  /** Lists a folder; `folder` ends at a `/`. One that is not there is empty. */
  async of(folder: string): Promise<readonly string[]> {
    const known = this.#large.get(folder);
    // The first listing needs no times: most folders are small, or listed once.
    const mark = known && (await this.#mark(folder));
    if (mark !== undefined && mark === known?.mark) return known.names;
    const names = await folderNames(this.#disk, this.#root, folder);
    this.#large.delete(folder);
    if (names.length >= LARGE) this.#keep(folder, { mark, names: mark === undefined ? [] : names });
    return names;
  }

  #keep(folder: string, known: KnownFolder): void {
    this.#large.set(folder, known);
    let count = [...this.#large.values()].reduce((sum, { names }) => sum + names.length, 0);
    for (const [oldest, { names }] of this.#large) {
      if (count <= MOST_NAMES) return;
      this.#large.delete(oldest);
      count -= names.length;
    }
  }

  /** Returns a text that is another one after the next change of the folder, or undefined if none is known to be. */
  async #mark(folder: string): Promise<string | undefined> {
    this.#keepsTimes ??= this.#looksAtTimes();
    if (!(await this.#keepsTimes)) return undefined;
    try {
      const { ino, mtimeMs, ctimeMs } = await this.#disk.stat(join(this.#root, folder));
      const age = Date.now() - Math.max(mtimeMs, ctimeMs);
      return age < SETTLED_MS ? undefined : `${ino} ${mtimeMs} ${ctimeMs}`;
    } catch (thrown) {
      if (isAbsent(thrown)) return undefined;
      throw thrown;
    }
  }

  async #looksAtTimes(): Promise<boolean> {
    if (process.platform !== 'linux') return false;
    return this.#disk.statfs(this.#root).then(
      ({ type }) => KEEPING_TIMES.has(type),
      () => false,
    );
  }
}

/** Keeps the names of large folders while these do not change. */
export const keepNames: KeepNames = (disk, root) => {
  const names = new FolderNames(disk, root);
  return (folder) => names.of(folder);
};
