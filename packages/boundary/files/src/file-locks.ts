import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { cairnError } from '@cairn/diagnostics';
import type { Disk } from './disk.js';
import { errno, isAbsent, unlinkIfThere } from './disk.js';
import { removeIfOld } from './leftovers.js';

/**
 * Process that holds a lock file. `run` distinguishes it from an earlier process with the same pid, as in containers.
 */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly run: string;
}

/** Key of the id of this run. There is one per process, shared by all installed copies of this package. */
const RUN_KEY = Symbol.for('cairn.files.run');
const runs = globalThis as { [RUN_KEY]?: string };
const thisRun = (runs[RUN_KEY] ??= randomUUID());

/**
 * Options of file locks. `patienceMs` is the time to wait for a live holder, `pauseMs` the time between looks.
 * `isAlive` tells whether a process of this host runs. `lockOf` returns the lock file of a path; it defaults to
 * `<path>.lock.tmp`, in the same directory.
 */
export interface FileLockOptions {
  readonly patienceMs: number;
  readonly pauseMs: number;
  readonly isAlive: (pid: number) => boolean;
  readonly lockOf: (path: string) => string;
}

export const defaultFileLockOptions: FileLockOptions = {
  patienceMs: 10_000,
  pauseMs: 5,
  isAlive: processIsAlive,
  lockOf: (path) => `${path}.lock.tmp`,
};

/** Codes of a full medium. A file can still be created but not filled: a name takes no block of its own. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
/** Codes of a failed link after which Cairn creates a file instead. */
const NO_SYMLINKS: ReadonlySet<string> = new Set([
  ...NO_ROOM,
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EINVAL',
]);

/**
 * Runs sections that change a file one at a time, among all processes. In this process a queue serialises them; between
 * processes a lock does.
 *
 * The lock is a symbolic link to the name of its holder. One system call makes both, so a process that is killed leaves
 * no lock without a name. Where there are no such links, the lock is a file that is created exclusively and then
 * filled. A lock of a dead process of this host is removed. Locks end in `.tmp`, so that no listing shows them. The
 * section is a few system calls long. On a full medium the lock may lack the name of its holder.
 */
export class FileLocks {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #disk: Disk;
  readonly #options: FileLockOptions;

  constructor(disk: Disk, options: FileLockOptions = defaultFileLockOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  /**
   * Runs the section under the lock. The directory of `path` must exist. Rejects with CAIRN-STORE-CONFLICT if another
   * holder keeps the lock beyond the patience.
   */
  run<T>(path: string, section: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(path) ?? Promise.resolve();
    const mine = before.then(() => this.#locked(path, section));
    const tail = mine.catch(() => undefined);
    this.#tails.set(path, tail);
    void tail.then(() => {
      if (this.#tails.get(path) === tail) this.#tails.delete(path);
    });
    return mine;
  }

  async #locked<T>(path: string, section: () => Promise<T>): Promise<T> {
    const lockPath = this.#options.lockOf(path);
    await this.#acquire(path, lockPath);
    try {
      return await section();
    } finally {
      await unlinkIfThere(this.#disk, lockPath);
    }
  }

  async #acquire(path: string, lockPath: string): Promise<void> {
    const deadline = performance.now() + this.#options.patienceMs;
    while (!(await this.#tryCreate(lockPath))) {
      const holder = await this.#holderOf(lockPath);
      if (holder !== undefined && this.#isDead(holder) && (await this.#removeStale(lockPath))) continue;
      if (performance.now() >= deadline) throw stuck(path, lockPath, holder);
      await new Promise((resolve) => setTimeout(resolve, this.#options.pauseMs));
    }
  }

  /** Removes the lock file if its holder has died on this host, or if it has no name and is older than an hour. */
  async removeDead(lockPath: string): Promise<void> {
    const holder = await this.#holderOf(lockPath);
    if (holder === undefined) await removeIfOld(this.#disk, lockPath);
    else if (this.#isDead(holder)) await this.#removeStale(lockPath);
  }

  async #tryCreate(lockPath: string): Promise<boolean> {
    try {
      await this.#disk.symlink(nameOf({ pid: process.pid, host: hostname(), run: thisRun }), lockPath);
      return true;
    } catch (thrown) {
      const code = errno(thrown) ?? '';
      if (code === 'EEXIST') return false;
      // Errors name the target first.
      if (!NO_SYMLINKS.has(code)) throw Object.assign(thrown as Error, { path: lockPath });
    }
    return this.#tryCreateFile(lockPath);
  }

  async #tryCreateFile(lockPath: string): Promise<boolean> {
    let handle;
    try {
      handle = await this.#disk.open(lockPath, 'wx');
    } catch (thrown) {
      if (errno(thrown) === 'EEXIST') return false;
      throw thrown;
    }
    try {
      await handle.write(
        JSON.stringify({ pid: process.pid, host: hostname(), run: thisRun } satisfies Holder),
      );
    } catch (thrown) {
      // An empty file locks as well: deleting needs no room, and deleting is the remedy for a full medium.
      if (!NO_ROOM.has(errno(thrown) ?? '')) {
        await unlinkIfThere(this.#disk, lockPath);
        throw thrown;
      }
    } finally {
      await handle.close();
    }
    return true;
  }

  /**
   * Removes the lock file of a dead process. A second exclusive file serialises the processes that remove it, and each
   * looks again inside. Only they remove a dead process's lock, so a lock that a live process takes meanwhile is never
   * removed. Where a process died while it did this, its file is removed in the same way, under a third one. Returns
   * false if another process is removing it; the caller looks again later.
   */
  async #removeStale(lockPath: string): Promise<boolean> {
    const breakPath = `${lockPath.slice(0, -'.tmp'.length)}.break.tmp`;
    if (!(await this.#tryCreate(breakPath))) {
      const other = await this.#holderOf(breakPath);
      if (other !== undefined && this.#isDead(other)) await this.#removeStale(breakPath);
      return false;
    }
    try {
      const holder = await this.#holderOf(lockPath);
      if (holder !== undefined && this.#isDead(holder)) await unlinkIfThere(this.#disk, lockPath);
    } finally {
      await unlinkIfThere(this.#disk, breakPath);
    }
    return true;
  }

  #isDead(holder: Holder): boolean {
    if (holder.host !== hostname()) return false;
    return holder.pid === process.pid ? holder.run !== thisRun : !this.#options.isAlive(holder.pid);
  }

  /** Returns the holder, or `undefined` if the lock is gone or its writer has not written the name yet. */
  async #holderOf(lockPath: string): Promise<Holder | undefined> {
    try {
      return holderNamed(await this.#disk.readlink(lockPath));
    } catch (thrown) {
      if (isAbsent(thrown)) return undefined;
      if (errno(thrown) !== 'EINVAL') throw thrown;
    }
    try {
      const handle = await this.#disk.open(lockPath, 'r');
      try {
        return parseHolder((await handle.readFile()).toString());
      } finally {
        await handle.close();
      }
    } catch (thrown) {
      if (isAbsent(thrown)) return undefined;
      throw thrown;
    }
  }
}

const nameOf = ({ pid, host, run }: Holder): string => `${pid}.${run}@${host}`;

function holderNamed(name: string): Holder | undefined {
  const [, pid, run, host] = /^(\d+)\.([^@]+)@(.+)$/.exec(name) ?? [];
  if (pid === undefined || run === undefined || host === undefined) return undefined;
  return { pid: Number(pid), run, host };
}

function parseHolder(text: string): Holder | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<Holder> | null;
    const { pid, host, run } = parsed ?? {};
    return typeof pid === 'number' && typeof host === 'string' && typeof run === 'string'
      ? { pid, host, run }
      : undefined;
  } catch {
    return undefined;
  }
}

function stuck(path: string, lockPath: string, holder: Holder | undefined): Error {
  const who = holder === undefined ? 'an unnamed process' : `process ${holder.pid} on ${holder.host}`;
  return cairnError('CAIRN-STORE-CONFLICT', `cannot write ${path}: it is locked by ${who}`, {
    hint: `If no other command is running here, delete ${lockPath} and run the command again.`,
  });
}

function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return errno(thrown) !== 'ESRCH';
  }
}
