import type { BlobVersion } from '@cairn/blobs';
import { checkIntegrity, checkpointBytes, newManifest } from '@cairn/state';
import type { Replayer, SerializedDeployment } from '@cairn/state';
import type { BackendContext } from '../backend-context.js';
import { digestOf, loadCheckpoint, storeCheckpoint } from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { writeJournalFile } from '../journal/journal-files.js';
import { layout } from '../layout.js';
import type { HeldLock } from '../locks/stack-lock.js';
import { keepBase } from '../records/base-copy.js';
import { sameRecord } from '../sealed/sealing.js';
import { fullStackName } from '../stack-id.js';
import type { StackId } from '../stack-id.js';
import { waitBefore } from './pace.js';
import type { CheckpointPace } from './pace.js';

/** The operation whose checkpoint is written through. `base`: what it started from; `directory`: of its journal. */
export interface WrittenOperation {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  readonly directory: string;
  readonly lock: HeldLock;
  readonly replayer: Replayer;
  readonly pace: CheckpointPace;
}

/**
 * Writes the checkpoint while an operation runs: what its journal has recorded so far, steps that are under way as
 * pending operations, so that a tool that knows no journals finds a recent state after a crash. The journal stays the
 * record: a write that fails, or is left out because the state is not consistent at that moment, loses nothing. `.bak`
 * stays the state before the operation.
 *
 * Durable in this order: the base beside the journal; the digest of what comes, in `through.json`, so that whoever
 * takes over knows it for this operation's; the checkpoint, only while it is still what this operation left there. When
 * somebody else has altered it, nothing is written any more.
 */
export class WriteThrough {
  private present: StoredCheckpoint;
  /** Digests that may lie there, of this operation's own writes. */
  private announced: readonly string[] = [];
  /** Version of `through.json` as this operation wrote it; whoever takes over writes it too. */
  private file: BlobVersion | undefined;
  /** A write failed, and may have reached the store all the same. */
  private unsure = false;
  private pending = false;
  private stopped: boolean;
  private writing: Promise<void> | undefined;
  private callOff: (() => void) | undefined;
  private sinceLast: () => number;
  private lastMs = 0;

  constructor(
    private readonly context: BackendContext,
    private readonly operation: WrittenOperation,
  ) {
    this.present = operation.base;
    this.stopped = operation.pace === 'end';
    this.sinceLast = context.timer.stopwatch();
  }

  /**
   * Something was recorded. Takes the same time whatever the size of the stack, unless every step is to be written:
   * then it resolves when it is, and when a step `begins`, fails with `CAIRN-LEASE-LOST` unless the lock was there all
   * the while.
   */
  noted(begins: boolean): Promise<void> | undefined {
    this.pending = true;
    if (this.stopped) return undefined;
    if (this.operation.pace === 'each-step')
      return begins ? this.operation.lock.during(() => this.now()) : this.now();
    this.callOff ??= this.context.timer.inBackground(waitBefore(this.sinceLast(), this.lastMs), () => {
      this.callOff = undefined;
      void this.now();
    });
    return undefined;
  }

  /** Writes what is recorded by now, if it is not written yet. Never fails. */
  async now(): Promise<void> {
    while (this.writing !== undefined) await this.writing;
    if (!this.pending || this.stopped) return;
    this.pending = false;
    this.writing = this.write().finally(() => {
      this.writing = undefined;
    });
    await this.writing;
  }

  /** Writes nothing any more; resolves with the checkpoint as this operation left it. */
  async stop(): Promise<StoredCheckpoint> {
    this.stopped = true;
    this.callOff?.();
    await this.writing;
    if (this.unsure) await this.findOut();
    return this.present;
  }

  private async write(): Promise<void> {
    const elapsed = this.context.timer.stopwatch();
    try {
      if (this.unsure && !(await this.findOut())) {
        this.stopped = true;
        return;
      }
      const state = this.state();
      if (state !== undefined) await this.store(state);
    } catch {
      // What is wrong is met again at the end, and told there.
      this.unsure = true;
    } finally {
      this.lastMs = elapsed();
      this.sinceLast = this.context.timer.stopwatch();
    }
  }

  /** What is recorded so far; undefined when it is not to be written as it is. */
  private state(): SerializedDeployment | undefined {
    const { context, operation } = this;
    const { id, replayer } = operation;
    const state = replayer.generate(newManifest(context.now(), context.version));
    if (checkIntegrity(state, 'write').failure !== undefined) return undefined;
    const { keys } = context.store;
    const path = layout.pathOf(id);
    const seals = keys.seals(path);
    // Files of before are written again at the end, together with it.
    const otherwise =
      keys.isPlain(path) === seals || (seals && !sameRecord(keys.managerOf(path), state.secretsProvider));
    return otherwise ? undefined : state;
  }

  private async store(state: SerializedDeployment): Promise<void> {
    const { context, operation, present } = this;
    const { store, settings } = context;
    const { id, base, directory, lock } = operation;
    const bytes = checkpointBytes(
      fullStackName(id),
      { ...state, integrityError: undefined },
      {
        room: Math.ceil(present.size * 1.25) + 1024,
        escapeHtml: false,
      },
    );
    const interim = present.digest !== base.digest;
    await lock.confirm();
    if (!interim && !(await keepBase(store, directory, base))) {
      this.stopped = true;
      return;
    }
    const digest = digestOf(bytes);
    const digests = [...this.announced, digest];
    const condition = this.file === undefined ? { ifAbsent: true } : { ifVersion: this.file };
    const through = { lock: context.instance, digests };
    this.file = await writeJournalFile(store, directory, 'through', through, condition);
    if (this.file === undefined) {
      this.stopped = true;
      return;
    }
    this.announced = digests;
    const written = await storeCheckpoint(store, {
      id,
      bytes,
      previous: present,
      settings,
      keepsPrevious: !interim,
    });
    this.present = { ...written, digest, size: bytes.length, others: new Map(), text: undefined };
    this.announced = [digest];
  }

  /** Whether what lies there is what this operation has written, or found. */
  private async findOut(): Promise<boolean> {
    const { store } = this.context;
    const found = await loadCheckpoint(store, this.operation.id).catch(() => undefined);
    if (found === undefined) return false;
    if (found.digest !== this.present.digest) {
      if (!this.announced.includes(found.digest)) return false;
      this.present = { ...found, text: undefined };
    }
    this.unsure = false;
    return true;
  }
}
