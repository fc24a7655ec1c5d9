import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { BugError } from '@cairn/diagnostics';
import {
  FileLocks,
  copyAtomically,
  defaultFileLockOptions,
  ensureDirectory,
  errno,
  isAbsent,
  realDisk,
  removeIfOld,
  syncDirectory,
  unlinkIfThere,
  writeAtomically,
} from '@cairn/files';
import type { Disk, FileLockOptions, Placing } from '@cairn/files';
import { checkKey, checkPrefix, sortByKey } from '../blob-key.js';
import type {
  Blob,
  BlobEnds,
  BlobInfo,
  BlobStore,
  BlobVersion,
  CopyCondition,
  CopyResult,
  DeleteResult,
  OpenSegmentResult,
  PutCondition,
  PutResult,
  SegmentOptions,
} from '../blob-store.js';
import { failedCondition, versionOf } from '../blob-version.js';
import { FileSegment, fencePath } from './file-segment.js';
import { folderNames, listBlobs, rowsIn } from './list-files.js';
import { isFile, readBlob, readEnds, readFrom, versionAt } from './read-file.js';
import { checkReadable, storeFailure } from './store-failure.js';

/**
 * `directoryMode` is the mode of directories that the store creates, before the umask. `writeThrough` opens segments so
 * that each write is durable on its own (`O_DSYNC`), one system call instead of two. By default it is on where such a
 * write reaches the medium, which is on Linux. `keepNames` is for processes that list the same folders again and again.
 * `disk` and `locks` are for tests.
 */
interface FileStoreOptions {
  readonly writeThrough?: boolean;
  readonly directoryMode?: number | undefined;
  readonly keepNames?: KeepNames | undefined;
  readonly disk?: Disk;
  readonly locks?: Partial<Omit<FileLockOptions, 'lockOf'>>;
}

/** Returns a function that lists the folders of a store, and keeps the names that it has listed. */
export type KeepNames = (disk: Disk, root: string) => (folder: string) => Promise<readonly string[]>;

/** Flags of `ax` with durable writes. */
const APPEND_THROUGH =
  constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_DSYNC;

/** Error codes for a folder that is not empty or in use. */
const IN_USE: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'EBUSY', 'EPERM', 'EACCES']);

/**
 * Folder of the store for temporary files and locks. It is never listed. Next to a blob of Pulumi's they could be
 * mistaken for one, for example for a lock.
 */
const SCRATCH = ['.pulumi', 'tmp'] as const;

/**
 * Blob store in a directory, in the layout of go-cloud's file driver [STORE-5], so that Pulumi can use the same
 * directory. `.attrs` files are not written and not listed, and are removed when their blob is written or deleted.
 * Conditional writes are safe among processes on one host. On a file system shared by hosts they are as safe as its
 * exclusive creation.
 */
export class FileBlobStore implements BlobStore {
  readonly #disk: Disk;
  readonly #locks: FileLocks;
  readonly #directoryMode: number | undefined;
  readonly #writeThrough: boolean;
  readonly #scratch: string;
  readonly #root: string;
  readonly #kept: ReturnType<KeepNames> | undefined;
  readonly #segments = new Set<FileSegment>();

  /** `root` is the absolute path of an existing directory. `url` is the user's name for the store. */
  constructor(
    root: string,
    readonly url: string,
    options: FileStoreOptions = {},
  ) {
    this.#root = root;
    this.#disk = options.disk ?? realDisk;
    this.#kept = options.keepNames?.(this.#disk, root);
    this.#scratch = join(root, ...SCRATCH);
    this.#locks = new FileLocks(this.#disk, {
      ...defaultFileLockOptions,
      ...options.locks,
      lockOf: (path) =>
        join(this.#scratch, `${createHash('sha256').update(path.slice(root.length)).digest('hex')}.lock.tmp`),
    });
    this.#directoryMode = options.directoryMode;
    this.#writeThrough = options.writeThrough ?? process.platform === 'linux';
  }

  get(key: string): Promise<Blob | undefined> {
    const path = this.#pathOf(key);
    return this.#attempt(`read "${key}"`, path, () => readBlob(this.#disk, path));
  }

  getFrom(key: string, offset: number): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(key);
    return this.#attempt(`read "${key}"`, path, () => readFrom(this.#disk, path, offset));
  }

  getEnds(key: string, most: number): Promise<BlobEnds | undefined> {
    const path = this.#pathOf(key);
    return this.#attempt(`read "${key}"`, path, () => readEnds(this.#disk, path, most));
  }

  put(key: string, bytes: Uint8Array, condition: PutCondition = {}): Promise<PutResult> {
    const path = this.#pathOf(key);
    return this.#attempt(`write "${key}"`, path, async () => {
      checkReadable(bytes, key);
      await ensureDirectory(this.#disk, dirname(path), this.#directoryMode);
      return condition.ifAbsent === true && condition.ifVersion === undefined
        ? this.#create(path, bytes)
        : this.#replace(path, bytes, condition);
    });
  }

  list(prefix: string): Promise<readonly BlobInfo[]> {
    checkPrefix(prefix);
    return this.#attempt(`list "${prefix}"`, this.#root, async () => {
      return sortByKey(await listBlobs(this.#disk, this.#root, prefix));
    });
  }

  names(folder: string): Promise<readonly string[]> {
    checkPrefix(folder);
    return this.#attempt(
      `list "${folder}"`,
      this.#root,
      () => this.#kept?.(folder) ?? folderNames(this.#disk, this.#root, folder),
    );
  }

  removeFolder(folder: string): Promise<void> {
    checkPrefix(folder);
    const path = join(this.#root, folder.split('/').join(sep));
    return this.#attempt(`remove "${folder}"`, path, () =>
      this.#disk.rmdir(path).catch((thrown: unknown) => {
        if (!isAbsent(thrown) && !IN_USE.has(errno(thrown) ?? '')) throw thrown;
      }),
    );
  }

  delete(key: string, condition: { readonly ifVersion?: BlobVersion } = {}): Promise<DeleteResult> {
    const path = this.#pathOf(key);
    return this.#attempt(`delete "${key}"`, path, async () => {
      if (!(await isFile(this.#disk, path))) {
        const reason = failedCondition(condition, undefined);
        return reason === undefined ? { ok: true, existed: false } : { ok: false, reason };
      }
      return this.#locked(path, () => this.#deleteLocked(path, condition));
    });
  }

  copy(from: string, to: string, { ifVersion }: CopyCondition = {}): Promise<CopyResult> {
    const source = this.#pathOf(from);
    const target = this.#pathOf(to);
    return this.#attempt(`copy "${from}" to "${to}"`, target, async () => {
      if (!(await isFile(this.#disk, source))) return { ok: false, reason: 'missing' };
      await ensureDirectory(this.#disk, dirname(target), this.#directoryMode);
      const accept =
        ifVersion === undefined
          ? undefined
          : async (copy: string): Promise<boolean> => (await versionAt(this.#disk, copy)) === ifVersion;
      try {
        const copied = () => copyAtomically(this.#disk, source, target, accept, { folder: this.#scratch });
        if (!(await this.#locked(target, copied))) return { ok: false, reason: 'changed' };
      } catch (thrown) {
        if (isAbsent(thrown) && !(await isFile(this.#disk, source))) return { ok: false, reason: 'missing' };
        throw thrown;
      }
      await unlinkIfThere(this.#disk, `${target}.attrs`);
      return { ok: true };
    });
  }

  openSegment(key: string, options: SegmentOptions): Promise<OpenSegmentResult> {
    if (options.create !== 'exclusive') throw new BugError('segments are created exclusively');
    const path = this.#pathOf(key);
    return this.#attempt(`create "${key}"`, path, async () => {
      await ensureDirectory(this.#disk, dirname(path), this.#directoryMode);
      try {
        return { ok: true, segment: await this.#createSegment(key, path) };
      } catch (thrown) {
        if (errno(thrown) === 'EEXIST') return { ok: false, reason: 'exists' };
        throw thrown;
      }
    });
  }

  /**
   * Marks the segment, then replaces it by a copy of its content. A process that still has it open writes to a file
   * without a name.
   */
  fenceSegment(key: string): Promise<void> {
    const path = this.#pathOf(key);
    return this.#attempt(`take over "${key}"`, path, async () => {
      if (!(await isFile(this.#disk, path))) return;
      await this.#write(fencePath(path), new Uint8Array(), 'replace');
      const held = await readBlob(this.#disk, path);
      if (held !== undefined) await this.#write(path, held.bytes, 'replace');
    });
  }

  async #createSegment(key: string, path: string): Promise<FileSegment> {
    const file = await this.#disk.open(path, this.#writeThrough ? APPEND_THROUGH : 'ax', 0o666);
    try {
      await syncDirectory(this.#disk, dirname(path));
      return this.#remembered(new FileSegment(key, path, file, this.#writeThrough, this.#disk));
    } catch (thrown) {
      await file.close();
      await unlinkIfThere(this.#disk, path);
      throw thrown;
    }
  }

  #remembered(segment: FileSegment): FileSegment {
    for (const each of this.#segments) if (each.isClosed) this.#segments.delete(each);
    this.#segments.add(segment);
    return segment;
  }

  async close(): Promise<void> {
    for (const segment of this.#segments) await segment.close();
  }

  #pathOf(key: string): string {
    return join(this.#root, ...checkKey(key).split('/'));
  }

  async #attempt<T>(doing: string, path: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (thrown) {
      if (thrown instanceof BugError) throw thrown;
      throw storeFailure(thrown, doing, path);
    }
  }

  #write(path: string, bytes: Uint8Array, placing: Placing): Promise<boolean> {
    return this.#withScratch(() =>
      writeAtomically(this.#disk, path, bytes, placing, { folder: this.#scratch }),
    );
  }

  #locked<T>(path: string, section: () => Promise<T>): Promise<T> {
    return this.#withScratch(() => this.#locks.run(path, section));
  }

  /**
   * Creates the folder for temporary files if a call finds none, which happens before any effect, and retries. Another
   * process may create it at any time, too.
   */
  async #withScratch<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (thrown) {
      const { path = this.#scratch } = thrown as NodeJS.ErrnoException;
      if (!isAbsent(thrown) || !path.startsWith(this.#scratch)) throw thrown;
      await ensureDirectory(this.#disk, this.#scratch, this.#directoryMode);
      return write();
    }
  }

  /**
   * Removes remains of killed processes from the store's folder for temporary files, and from `folder`, where earlier
   * versions had theirs. These are locks of dead processes, and other temporary files that are older than an hour.
   */
  sweep(folder: string): Promise<void> {
    checkPrefix(folder);
    return this.#attempt(`tidy "${folder}"`, this.#root, async () => {
      for (const each of [`${SCRATCH.join('/')}/`, folder]) {
        for (const { name } of await rowsIn(this.#disk, this.#root, each)) {
          if (!name.endsWith('.tmp')) continue;
          const path = join(this.#root, ...each.split('/'), name);
          await (name.endsWith('.lock.tmp') ? this.#locks.removeDead(path) : removeIfOld(this.#disk, path));
        }
      }
    });
  }

  /** Creates a blob. No lock is needed: the exclusive link decides. */
  async #create(path: string, bytes: Uint8Array): Promise<PutResult> {
    if (await isFile(this.#disk, path)) return { ok: false, reason: 'exists' };
    if (!(await this.#placeNew(path, bytes))) return { ok: false, reason: 'exists' };
    await unlinkIfThere(this.#disk, `${path}.attrs`);
    return { ok: true, version: versionOf(bytes) };
  }

  /**
   * Places a new blob. On file systems without hard links (EPERM, ENOTSUP, ENOSYS) it checks and renames under the
   * key's lock instead.
   */
  async #placeNew(path: string, bytes: Uint8Array): Promise<boolean> {
    try {
      return await this.#write(path, bytes, 'exclusive');
    } catch (thrown) {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errno(thrown) ?? '')) throw thrown;
      return this.#locked(
        path,
        async () => !(await isFile(this.#disk, path)) && this.#write(path, bytes, 'replace'),
      );
    }
  }

  #replace(path: string, bytes: Uint8Array, condition: PutCondition): Promise<PutResult> {
    return this.#locked(path, async () => {
      if (condition.ifVersion !== undefined) {
        const reason = failedCondition(condition, await versionAt(this.#disk, path));
        if (reason !== undefined) return { ok: false, reason };
      }
      await this.#write(path, bytes, 'replace');
      await unlinkIfThere(this.#disk, `${path}.attrs`);
      return { ok: true, version: versionOf(bytes) };
    });
  }

  async #deleteLocked(path: string, condition: { readonly ifVersion?: BlobVersion }): Promise<DeleteResult> {
    if (condition.ifVersion !== undefined) {
      const reason = failedCondition(condition, await versionAt(this.#disk, path));
      if (reason !== undefined) return { ok: false, reason };
    }
    const existed = await unlinkIfThere(this.#disk, path);
    await unlinkIfThere(this.#disk, `${path}.attrs`);
    await unlinkIfThere(this.#disk, fencePath(path));
    if (existed) await syncDirectory(this.#disk, dirname(path));
    return { ok: true, existed };
  }
}
