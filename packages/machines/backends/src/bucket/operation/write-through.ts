import { isProviderType } from '@cairn/addresses';
import type { BlobVersion } from '@cairn/blobs';
import { checkIntegrity, checkpointBytes, newManifest } from '@cairn/state';
import type {
  PendingOperationType,
  Replayer,
  SerializedDeployment,
  SerializedJournalEntry,
} from '@cairn/state';
import { allDone } from '../all-done.js';
import type { BackendContext } from '../backend-context.js';
import {
  copySourceOf,
  digestOf,
  keepPrevious,
  loadCheckpoint,
  storeCheckpoint,
} from '../checkpoint/checkpoint-file.js';
import type { StoredCheckpoint } from '../checkpoint/checkpoint-file.js';
import { writeJournalFile } from '../journal/journal-files.js';
import type { StampedFold } from '../journal/journal-files.js';
import { layout } from '../layout.js';
import type { HeldLock } from '../locks/stack-lock.js';
import { keepBase } from '../records/base-copy.js';
import { sameRecord } from '../sealed/sealing.js';
import { fullStackName } from '../../stack-id.js';
import type { StackId } from '../../stack-id.js';
import { nextWrite } from './pace.js';
import type { UnwrittenOperation } from './pace.js';
import type { CheckpointPace } from '../../backend-ports.js';

/**
 * Operation whose checkpoint is written through. `base` is the checkpoint that it started from, `previous` the fold
 * that left it, if that is known. `directory` is that of its journal.
 */
interface WrittenOperation {
  readonly id: StackId;
  readonly base: StoredCheckpoint;
  readonly previous: StampedFold | undefined;
  readonly directory: string;
  readonly lock: HeldLock;
  readonly replayer: Replayer;
  readonly pace: CheckpointPace;
}

/**
 * Writes the checkpoint while an operation runs: the records of its journal so far, with steps under way as pending
 * operations. A tool that knows no journals thus finds a recent state after a crash. The journal stays the record: a
 * write that fails loses nothing. The same holds for one that is left out because the state is inconsistent at that
 * moment. `.bak` stays the state before the operation.
 *
 * Durable in this order: the base beside the journal and as `.bak`; the digest of what comes, in `through.json`, so
 * that a process that takes over recognises it as this operation's; the checkpoint, only while it is still what this
 * operation left there. Once another process has altered it, nothing more is written.
 */
export class WriteThrough {
  #present: StoredCheckpoint;
  /** Digests of this operation's own writes that may be in the store. */
  #announced: readonly string[] = [];
  /** Version of `through.json` as this operation wrote it. A process that takes over writes it too. */
  #file: BlobVersion | undefined;
  /** True if a write failed, and may have reached the store all the same. */
  #unsure = false;
  /** True if a record was not written yet. */
  #pending = false;
  #stopped: boolean;
  #writing: Promise<void> | undefined;
  #callOff: (() => void) | undefined;
  #effects: UnwrittenOperation['effects'] = 'none';
  /** Write that the first effects wait for. */
  #first: Promise<void> | undefined;
  #last: UnwrittenOperation['last'];
  /** Writes of the base beside the journal and as `.bak`. Undefined if none is under way or done. */
  #keeping: Promise<void> | undefined;
  #hasBase = false;
  readonly #context: BackendContext;
  readonly #operation: WrittenOperation;

  constructor(context: BackendContext, operation: WrittenOperation) {
    this.#context = context;
    this.#operation = operation;
    this.#present = operation.base;
    this.#stopped = operation.pace === 'end';
  }

  /**
   * Notes entries that were recorded, in the order of the journal. When this resolves, a step whose begin is one of
   * them may take its effect. The first effects wait for a write, the others for nothing, whatever the size of the
   * stack. If every step is to be written, all wait. Waiting for a begin fails with `CAIRN-LEASE-LOST` unless the lock
   * existed the whole time.
   */
  noted(entries: readonly SerializedJournalEntry[]): Promise<void> | undefined {
    this.#pending = true;
    if (this.#stopped) return undefined;
    if (this.#operation.pace === 'each-step')
      return entries.some(({ kind }) => kind === 'begin') ? this.#underLock() : this.#now();
    if (this.#effects !== 'more' && entries.some(beginsEffect)) {
      this.#effects = 'first';
      this.#first ??= this.#underLock().finally(() => {
        this.#effects = 'more';
        this.#schedule();
      });
      return this.#first;
    }
    this.#schedule();
    return undefined;
  }

  /**
   * Begins to keep the base, while the first step is recorded. A failure is met again before the checkpoint is written.
   */
  prepare(): void {
    if (!this.#stopped) this.#keepBase().catch(() => undefined);
  }

  /** Writes the records so far, unless the pace is `end`. Never fails. */
  async interrupted(): Promise<void> {
    if (this.#next(true) === 0) await this.#now();
  }

  /** Writes the records so far, if they are not written yet. Never fails. */
  async #now(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (!this.#pending || this.#stopped) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
    await this.#writing;
  }

  /**
   * Stops writing. Resolves with the checkpoint as this operation left it, and true as `hasBase` if the base is beside
   * the journal and as `.bak`.
   */
  async stop(): Promise<{ readonly present: StoredCheckpoint; readonly hasBase: boolean }> {
    this.#stopped = true;
    this.#callOff?.();
    await Promise.all([this.#writing, this.#keeping?.catch(() => undefined)]);
    if (this.#unsure) await this.#findOut();
    return { present: this.#present, hasBase: this.#hasBase };
  }

  #underLock(): Promise<void> {
    return this.#operation.lock.during(() => this.#now());
  }

  /** Writes in the background when the pace allows it. */
  #schedule(): void {
    if (!this.#pending || this.#stopped || this.#callOff !== undefined) return;
    const wait = this.#next();
    if (wait === undefined) return;
    this.#callOff = this.#context.timer.inBackground(wait, () => {
      this.#callOff = undefined;
      void this.#now();
    });
  }

  #next(interrupted = false): number | undefined {
    const effects = this.#effects;
    const last = this.#last;
    const now = this.#context.timer.ticks();
    return nextWrite({ pace: this.#operation.pace, effects, last, now, interrupted });
  }

  async #write(): Promise<void> {
    const { timer } = this.#context;
    const began = timer.ticks();
    this.#last = { began, took: undefined };
    try {
      if (this.#unsure && !(await this.#findOut())) this.#stopped = true;
      else await this.#store();
    } catch {
      // The same failure occurs again at the end, and is reported there.
      this.#unsure = true;
    } finally {
      this.#last = { began, took: timer.ticks() - began };
    }
  }

  /** Returns the state so far, or undefined if it is not to be written as it is. */
  #state(): SerializedDeployment | undefined {
    const context = this.#context;
    const operation = this.#operation;
    const { id, replayer } = operation;
    const state = replayer.generate(newManifest(context.now(), context.version));
    if (checkIntegrity(state, 'write').failure !== undefined) return undefined;
    const { keys } = context.store;
    const path = layout.pathOf(id);
    const seals = keys.seals(path);
    // Older files are rewritten at the end, together with it.
    const otherwise =
      keys.isPlain(path) === seals || (seals && !sameRecord(keys.managerOf(path), state.secretsProvider));
    return otherwise ? undefined : state;
  }

  async #store(): Promise<void> {
    const context = this.#context;
    const operation = this.#operation;
    const present = this.#present;
    const { store, settings } = context;
    const { id, base, lock } = operation;
    await allDone([lock.confirmLately(), this.#keepBase()]);
    if (this.#stopped) return;
    // Taken as late as possible, with the steps that have begun meanwhile.
    this.#pending = false;
    const state = this.#state();
    if (state === undefined) return;
    const bytes = checkpointBytes(
      fullStackName(id),
      { ...state, integrityError: undefined },
      {
        room: Math.ceil(present.size * 1.25) + 1024,
        copyFrom: copySourceOf(base, {
          checkpoint: operation.previous?.checkpoint,
          version: context.version,
        }),
      },
    );
    const digest = digestOf(bytes);
    const digests = [...this.#announced, digest];
    if (!(await this.#announce(digests))) return;
    const written = await storeCheckpoint(store, {
      id,
      bytes,
      previous: present,
      settings,
      keepsPrevious: false,
    });
    this.#present = { ...written, digest, size: bytes.length, others: new Map(), text: undefined };
    this.#announced = [digest];
  }

  /**
   * Announces checkpoints before one of them is written. Stops, and returns false, if another process has taken over
   * the journal.
   */
  async #announce(digests: readonly string[]): Promise<boolean> {
    const { store, instance: lock } = this.#context;
    const { directory } = this.#operation;
    const condition = this.#file === undefined ? { ifAbsent: true } : { ifVersion: this.#file };
    this.#file = await writeJournalFile(store, directory, 'through', { lock, digests }, condition);
    if (this.#file === undefined) this.#stopped = true;
    else this.#announced = digests;
    return this.#file !== undefined;
  }

  /** Keeps the base beside the journal and as `.bak`, once. Stops if it is no longer the stored state. */
  #keepBase(): Promise<void> {
    const { store, settings } = this.#context;
    const { id, directory, base } = this.#operation;
    const keep = async (): Promise<void> => {
      const [kept] = await Promise.all([
        keepBase(store, directory, base),
        keepPrevious(store, id, settings, base),
      ]);
      this.#hasBase = kept;
      if (!kept) this.#stopped = true;
    };
    this.#keeping ??= keep().catch((thrown: unknown) => {
      this.#keeping = undefined;
      throw thrown;
    });
    return this.#keeping;
  }

  /** Returns true if the stored checkpoint is one that this operation has written, or found. */
  async #findOut(): Promise<boolean> {
    const { store } = this.#context;
    const found = await loadCheckpoint(store, this.#operation.id).catch(() => undefined);
    if (found === undefined) return false;
    if (found.digest !== this.#present.digest) {
      if (!this.#announced.includes(found.digest)) return false;
      this.#present = { ...found, text: undefined };
    }
    this.#unsure = false;
    return true;
  }
}

/**
 * Returns true if the provider will be called to create, update or delete an object. Reads, resources read into the
 * state, components, providers themselves and entries whose object has another owner have no effect.
 */
function beginsEffect({ kind, operation }: SerializedJournalEntry): boolean {
  if (kind !== 'begin' || operation === undefined) return false;
  const { type, resource } = operation;
  return EFFECTS.has(type) && resource.custom && resource.external !== true && !isProviderType(resource.type);
}

const EFFECTS: ReadonlySet<PendingOperationType> = new Set(['creating', 'updating', 'deleting']);
