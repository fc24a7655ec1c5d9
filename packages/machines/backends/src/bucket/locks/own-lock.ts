import type { BlobStore, BlobVersion } from '@cairn/blobs';
import type { Claim } from '@cairn/changes';
import { layout } from '../layout.js';
import type { StackId } from '../../stack-id.js';
import type { Timer } from '../../timer.js';
import type { LeaseSettings } from './lease.js';
import { leaseLost } from '../../model/lease-lost.js';
import { lockBytes } from './lock-file.js';
import type { HolderProcess } from '../../model/lock-holder.js';

/** Means to keep a lock of this process. */
export interface LockKeeping {
  readonly store: BlobStore;
  /** UUID of this backend instance. */
  readonly id: string;
  readonly process: HolderProcess;
  readonly now: () => Date;
  readonly timer: Timer;
  readonly lease: LeaseSettings;
}

/**
 * On stores behind a network, a reading that is no older than this counts as current. Recorded work is fenced there
 * automatically.
 */
const REMOTE_LOOK_MS = 5000;
/** Maximum number of readings in one check of a lock, so that a stalling store cannot prolong it forever. */
const LOOKS = 3;

/**
 * Lock file of this process on a stack, or its turn in the queue, from its writing to its removal. It is renewed in the
 * background, each time only over the file that was written before. A lock that another process removed thus does not
 * come back. Writes come one after the other.
 */
export class OwnLock {
  readonly key: string;
  readonly #since: Date;
  #version: BlobVersion = '';
  #renewals = 0;
  #claims: readonly Claim[];
  #lost = false;
  #released = false;
  #writing: Promise<unknown> = Promise.resolve();
  #looking: Promise<void> | undefined;
  #sinceLook: () => number = () => Number.POSITIVE_INFINITY;
  #stopRenewing: () => void = () => undefined;
  readonly #keeping: LockKeeping;
  readonly #stack: StackId;

  private constructor(keeping: LockKeeping, stack: StackId, claims: readonly Claim[], key: string) {
    this.#keeping = keeping;
    this.#stack = stack;
    this.key = key;
    this.#since = keeping.now();
    this.#claims = claims;
  }

  /** Writes the lock file, or another file of its form, and begins to renew it. */
  static async write(
    keeping: LockKeeping,
    stack: StackId,
    claims: readonly Claim[],
    key: string = layout.lock(stack, keeping.id),
  ): Promise<OwnLock> {
    const lock = new OwnLock(keeping, stack, claims, key);
    const elapsed = keeping.timer.stopwatch();
    const result = await keeping.store.put(lock.key, lock.#bytes());
    if (result.ok) lock.#version = result.version;
    lock.#sinceLook = elapsed;
    lock.#renewLater();
    return lock;
  }

  /** Replaces the claims. They are durable when it resolves. Fails with `CAIRN-LEASE-LOST`. */
  hold(claims: readonly Claim[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#claims = claims;
      await this.#rewrite();
    });
  }

  /**
   * Does work that only the holder may do. When this resolves, the work is done and the lock was held. Fails with
   * `CAIRN-LEASE-LOST` if it was not, also if this process was paused meanwhile and the lock is gone now.
   */
  async during(work: () => Promise<void>): Promise<void> {
    const elapsed = this.#keeping.timer.stopwatch();
    await Promise.all([work(), this.confirmLately()]);
    if (elapsed() > this.#patienceMs) await this.confirm();
  }

  /** Same as {@link confirm}, but a reading of the last seconds counts on a store behind a network. */
  async confirmLately(): Promise<void> {
    const recent = this.#keeping.store.remote === true && this.#sinceLook() < this.#youngMs;
    if (!recent || this.#lost) await this.confirm();
  }

  /** Fails with `CAIRN-LEASE-LOST` when the lock is gone. One reading serves all callers that ask in the meantime. */
  confirm(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Removes the lock. Idempotent. */
  async release(): Promise<void> {
    this.#released = true;
    this.#stopRenewing();
    await this.#writing;
    await this.#keeping.store.delete(this.key, { segment: false });
  }

  /** Pause after which another look is necessary. */
  get #patienceMs(): number {
    return this.#keeping.lease.termMs / 2;
  }

  get #youngMs(): number {
    return Math.min(REMOTE_LOOK_MS, this.#keeping.lease.renewalMs / 2);
  }

  async #look(): Promise<void> {
    for (let looks = 0; looks < LOOKS; looks += 1) {
      const elapsed = this.#keeping.timer.stopwatch();
      if (this.#lost || (await this.#keeping.store.get(this.key)) === undefined) throw this.#loss();
      this.#sinceLook = elapsed;
      if (elapsed() <= this.#patienceMs) return;
    }
  }

  #renewLater(): void {
    if (this.#lost || this.#released) return;
    const { timer, lease } = this.#keeping;
    this.#stopRenewing = timer.inBackground(lease.renewalMs, () => {
      if (this.#released) return;
      // The next user of the lock meets this failure again. A store that is away for a while is tried again.
      void this.#inTurn(() => this.#rewrite())
        .catch(() => undefined)
        .finally(() => this.#renewLater());
    });
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(write);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  async #rewrite(): Promise<void> {
    if (this.#lost) throw this.#loss();
    if (this.#released) return;
    const elapsed = this.#keeping.timer.stopwatch();
    this.#renewals += 1;
    const bytes = this.#bytes();
    const { store } = this.#keeping;
    let result = await store.put(this.key, bytes, { ifVersion: this.#version });
    if (!result.ok && result.reason === 'changed') {
      // An earlier write may have reached the store though its answer was lost: no other process writes this file.
      const found = await store.get(this.key);
      if (found !== undefined) result = await store.put(this.key, bytes, { ifVersion: found.version });
    }
    if (!result.ok) {
      this.#lost = true;
      throw this.#loss();
    }
    this.#version = result.version;
    this.#sinceLook = elapsed;
  }

  #bytes(): Uint8Array {
    const { process, lease } = this.#keeping;
    const { termMs } = lease;
    return lockBytes(process, this.#since, {
      claims: this.#claims,
      lease: { termMs, renewals: this.#renewals, attended: process.attended === true },
    });
  }

  #loss(): Error {
    this.#lost = true;
    return leaseLost(this.#stack, {
      causes: ['another process removed the lock while this operation ran'],
      hint: 'Nothing was changed. Find out who works on the stack now, then run the command again.',
    });
  }
}
