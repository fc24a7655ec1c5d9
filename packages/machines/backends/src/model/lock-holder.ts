import type { BlobVersion } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';

/**
 * Lease in a lock file. Locks of other tools and of older versions have none, and are never taken over for lack of it.
 */
export interface Lease {
  readonly termMs: number;
  /** Grows with every renewal. Watchers compare it, and no clocks. */
  readonly renewals: number;
  /** True if a person watches the process. When it pauses (a laptop sleeps), a person decides. */
  readonly attended: boolean;
}

/** Holder of a stack [STORE-11]. */
export interface LockHolder {
  /** UUID of the holding process, which is the lock file's name. */
  readonly id: string;
  /** Key of the lock file in the store. */
  readonly key: string;
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** RFC 3339. */
  readonly timestamp: string;
  /** True if Cairn wrote it. */
  readonly ours: boolean;
  /** Claims of its operation. Everything, unless the file says otherwise. */
  readonly claims: readonly Claim[];
  /**
   * Scope in which the number of its process is meaningful, and the mark that distinguishes it from a later process of
   * that number.
   */
  readonly machine: string | undefined;
  readonly started: string | undefined;
  readonly lease: Lease | undefined;
  /**
   * Reason why a person has locked the stack. Such a lock belongs to no process, and stays until it is removed
   * [STORE-16].
   */
  readonly reason: string | undefined;
  /** Version of the lock file as it was read. It changes at every renewal. */
  readonly version: BlobVersion;
  /** Time when the file was last written, by the clock of the store: milliseconds since 1970. For people. */
  readonly modified: number;
  /** Reason why the lock file could not be read. The other texts are empty then. Such a lock may be anyone's. */
  readonly problem: string | undefined;
}

/** This process as locks name it. */
export interface HolderProcess {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** Returns true if a process of this host still runs. */
  readonly isAlive: (pid: number) => boolean;
  /**
   * Scope of process numbers: the same text wherever the same numbers are used. Undefined if this system cannot say.
   */
  readonly machine?: string | undefined;
  /** Looks up a process of this machine. Returns undefined if it does not exist, or this system cannot say. */
  readonly look?: (pid: number) => ProcessLook | undefined;
  /** True if a person watches this process. */
  readonly attended?: boolean;
}

/**
 * `started` distinguishes it from every other process with the same number. `stopped`: it was stopped, and may continue
 * at any moment.
 */
export interface ProcessLook {
  readonly started: string;
  readonly stopped: boolean;
}
