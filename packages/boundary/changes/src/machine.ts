import { BugError, cairnError } from '@cairn/diagnostics';
import type { ChangeView } from './change.js';
import { Change } from './change.js';
import { replay } from './replay.js';
import { ChangeLog } from './change-log.js';
import type { Clock } from './clock.js';
import { systemClock } from './clock.js';
import type { PassDriver } from './driver.js';
import { Driver, outsideDriver } from './driver.js';
import type { ChangeEvent } from './events.js';
import type { OptionalKind } from './kind-registry.js';
import { KindRegistry } from './kind-registry.js';
import type { StepKinds } from './kinds.js';
import type { ChangeObserver, TaskObserver } from './observers.js';
import type { Policies } from './policies.js';
import { PRODUCT } from './policies.js';
import type { ChangeRecord, DataMap, Progress } from './records.js';
import { LOG_VERSION } from './records.js';
import type { BlockedPredicate, RunnerListener } from './runner-ports.js';
import { Runner } from './runner.js';
import type { Status } from './status.js';
import type { ChangeStore } from './store.js';
import type { TaskView } from './task.js';
import type { ChangeTx } from './transaction.js';
import { Transaction } from './transaction.js';
import type { TaskResult } from './waiters.js';
import { Waiters } from './waiters.js';
import { ChangeWriter } from './writer.js';
import { soon } from './soon.js';

/** What a machine runs with. */
export interface MachineOptions {
  readonly store: ChangeStore;
  readonly kinds: StepKinds;
  /** For kinds that are not in `kinds`; with the policy `waitOnUnknownKind` they are never asked. */
  readonly optional?: readonly OptionalKind[];
  /** Default: the machine's own clock. */
  readonly clock?: Clock;
  /** Handlers at a time; Infinity: no limit. Default 10. */
  readonly parallelism?: number;
  /** Deviations from {@link PRODUCT}. */
  readonly policies?: Partial<Policies>;
  /** Asked before each start, in order; any that says true keeps the task until something has ended. Pure and cheap. */
  readonly blocked?: readonly BlockedPredicate[];
  /**
   * Passes are run by the caller with `ensure()`, who is asked here for one within so many ms. Default: by the machine.
   */
  readonly ensureBefore?: (ms: number) => void;
  /** Told what happens, in order, as it happens (not yet durable). Must not throw and must return quickly. */
  readonly onEvent?: (event: ChangeEvent) => void;
}

/** Who carries out what a change has to do, and who hears of it. */
type Handlers = Pick<MachineOptions, 'kinds' | 'blocked' | 'onEvent'>;

/** What a new change is. */
export interface NewChange {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** What it is about, e.g. the identity of a stack: part of every idempotency token. */
  readonly scope?: string;
  readonly data?: DataMap;
  /** Tasks will be added while it runs, until `complete()`. */
  readonly growing?: boolean;
}

/** Starts a new change on an empty store. Its first record is written with the first transaction. */
export function openChange(opened: NewChange, options: MachineOptions): ChangeMachine {
  return new ChangeMachine({ opened }, options);
}

/** Goes on with the change in the store; undefined when the store is empty. */
export async function loadChange(options: MachineOptions): Promise<ChangeMachine | undefined> {
  const records = await options.store.load();
  return records.length === 0 ? undefined : new ChangeMachine({ records }, options);
}

type Origin = { readonly opened: NewChange } | { readonly records: readonly ChangeRecord[] };

/**
 * A running change. Tasks start by themselves in the turn after the transaction that added them. Nothing here is
 * asynchronous except waiting; the cost of a step does not depend on the number of tasks.
 */
export class ChangeMachine {
  readonly #change: Change;
  readonly #log: ChangeLog;
  readonly #writer: ChangeWriter;
  readonly #runner: Runner;
  readonly #driver: PassDriver;
  readonly #kinds: KindRegistry;
  readonly #blocked: BlockedPredicate[];
  #emit: ((event: ChangeEvent) => void) | undefined;
  readonly #waiters: Waiters;
  #failure: { readonly cause: unknown } | undefined;
  #toldStatus: Status;

  /** Use {@link openChange} or {@link loadChange}. */
  constructor(origin: Origin, options: MachineOptions) {
    const clock = options.clock ?? systemClock;
    const policies = { ...PRODUCT, ...options.policies };
    this.#kinds = new KindRegistry(options.kinds, policies.waitOnUnknownKind ? [] : options.optional);
    this.#emit = options.onEvent;
    this.#blocked = [...(options.blocked ?? [])];
    const last = 'records' in origin ? origin.records.at(-1) : undefined;
    const position = { seq: last?.seq ?? 0, tx: last?.tx ?? 0 };
    this.#log = new ChangeLog(options.store, clock, position, (cause) => this.#fail(cause));
    this.#change = 'records' in origin ? replay(origin.records) : begin(origin.opened, this.#log);
    this.#writer = new ChangeWriter(this.#change, this.#log);
    this.#toldStatus = this.#change.status;
    this.#driver =
      options.ensureBefore === undefined
        ? new Driver(clock, () => this.#pass(false))
        : outsideDriver(options.ensureBefore);
    this.#runner = new Runner({
      writer: this.#writer,
      clock,
      kindOf: (kind) => this.#kinds.of(kind),
      policies,
      parallelism: options.parallelism ?? 10,
      blocked: this.#blocked,
      ensureBefore: (ms) => this.#driver.ensureBefore(ms),
      listener: this.#listener(),
    });
    this.#waiters = new Waiters(this.#log, {
      idle: () => this.idle,
      quiet: () => this.#runner.running.size === 0,
    });
    this.#driver.ensureBefore(0);
  }

  get change(): ChangeView {
    return this.#change;
  }

  /** Whether nothing runs and nothing will start by itself: what is left waits for somebody, or for what waits. */
  get idle(): boolean {
    return this.#runner.idle && !this.#driver.pending;
  }

  /**
   * Tasks that wait for nothing but the end of others that run. O(1); those that were held or aborted may count a while
   * longer.
   */
  get waiting(): number {
    return this.#failure === undefined ? this.#runner.waiting : 0;
  }

  /** What a {@link BlockedPredicate} has named may be free now: the tasks that wait for it are asked again. */
  unblock(name: string): void {
    if (this.#failure === undefined) this.#runner.unblockName(name);
  }

  /** The kinds it has handlers for. */
  get kinds(): KindRegistry {
    return this.#kinds;
  }

  /** Handlers that were made with the machine at hand. Called before the first task of their kinds is added. */
  handle({ kinds, blocked = [], onEvent }: Handlers): void {
    this.#kinds.add(kinds);
    this.#blocked.push(...blocked);
    this.#emit = onEvent ?? this.#emit;
  }

  /** Watches statuses of tasks, until the observer answers true or the function that is returned is called. */
  observeTasks(observer: TaskObserver): () => void {
    return this.#change.observers.observeTasks(observer);
  }

  /** Watches the derived status of the change, every one of them in turn. */
  observeChange(observer: ChangeObserver): () => void {
    return this.#change.observers.observeChange(observer);
  }

  /** Tasks with a live handler: after `kill()` these are in doubt. */
  get running(): readonly TaskView[] {
    return [...this.#runner.running];
  }

  /**
   * Alters the change. `run` must not await; what it asked for is applied when it returns, all of it or, when it
   * throws, nothing. A restart sees all of it or nothing. Await {@link flush} to know that it is durable; handlers,
   * promises of tasks and everything later wait for it by themselves.
   */
  tx<R>(run: (t: ChangeTx) => R): R {
    this.#refuseWhenOver();
    const transaction = new Transaction(this.#change, this.#runner, this.#writer, this.#kinds);
    try {
      const result = run(transaction);
      this.#writer.transaction(() => transaction.apply());
      return result;
    } finally {
      transaction.close();
    }
  }

  /**
   * How the task first comes to a rest (an end or a wait), once that is durable. Rejects when the store fails or the
   * machine is killed. Ask in the turn that added the task to be sure to get its outcome.
   */
  ended(id: string): Promise<TaskResult> {
    return this.#waiters.ended(this.#change.task(id));
  }

  /**
   * Resolves when nothing runs and nothing will start by itself, and everything is durable: the change is ready and
   * clean, or it waits, or it is growing and everything added so far is at rest. Rejects when the store fails.
   */
  settled(): Promise<void> {
    const settled = this.#waiters.settled();
    soon(() => this.#moved());
    return settled;
  }

  /** One pass: starts what may start [CHG-13]. Only needed when passes are run from outside. */
  ensure(): void {
    this.#pass(true);
  }

  /** Resolves when no handler runs and everything so far is durable. Rejects when the store fails. */
  quiet(): Promise<void> {
    return this.#waiters.quiet();
  }

  /** Resolves when everything so far is durable, lazy records included. */
  flush(): Promise<void> {
    return this.#log.flush();
  }

  /** Rolls back: the lanes, or everything [CHG-15]. Doing it again changes nothing. */
  abort(lanes?: readonly number[]): void {
    this.tx((t) => (lanes === undefined ? t.abort() : t.abortLanes(lanes)));
  }

  /**
   * Starts nothing more in the lanes, or at all; what runs may finish and what is done stays. For a polite interrupt.
   */
  hold(reason: string, lanes?: readonly number[]): void {
    this.tx((t) => t.hold(reason, lanes));
  }

  /** No task will be added any more: a growing change may now become ready. */
  complete(): void {
    this.tx((t) => t.complete());
  }

  /**
   * Stops this process's part [CHG-17]: every handler's signal fires; what succeeds counts, what fails is done
   * again by the next process. Resolves when all handlers have returned and everything is durable.
   */
  async stop(): Promise<void> {
    this.#driver.stop();
    this.#runner.stop();
    await this.settled();
  }

  /** Ends the handlers of these kinds only and waits for nothing [CHG-17]. */
  stopKinds(kinds: readonly string[]): void {
    this.#runner.stopKinds(new Set(kinds));
  }

  /** Lets go of everything at once: fires all signals and records nothing more. Returns the tasks that are in doubt. */
  kill(): readonly TaskView[] {
    const inDoubt = this.running;
    this.#log.abandon(cairnError('CAIRN-CANCELLED', `${this.#change.summary} was abandoned`));
    return inDoubt;
  }

  /** Ends the log of a change that is ready. Resolves when that is durable; nothing may follow. */
  async seal(): Promise<void> {
    if (!this.#change.isReady) throw new BugError(`change ${this.#change.id} is sealed before it is ready`);
    this.#writer.commit({ record: 'seal', status: this.#change.status });
    await this.#log.flush();
  }

  /** A mistake of ours ends the change, not the process. */
  #pass(again: boolean): void {
    try {
      this.#runner.ensure(again);
    } catch (cause) {
      this.#log.abandon(cause);
    }
  }

  #refuseWhenOver(): void {
    if (this.#failure !== undefined) throw this.#failure.cause;
    if (this.#change.sealed) throw new BugError(`change ${this.#change.id} is sealed`);
  }

  #listener(): RunnerListener {
    return {
      status: (task, from) => {
        this.#waiters.restedAt(task);
        this.#emit?.({ t: 'task', task, from, to: task.status });
      },
      outcome: (task, outcome) => this.#waiters.answered(task, outcome),
      failed: (task, error) => this.#emit?.({ t: 'failed', task, error }),
      log: (task, line) => this.#emit?.({ t: 'log', task, line }),
      progress: (task, progress: Progress) => this.#emit?.({ t: 'progress', task, progress }),
      warning: (task, text) => this.#emit?.({ t: 'warning', task, text }),
      moved: () => this.#moved(),
      broken: (error) => this.#log.abandon(error),
    };
  }

  #moved(): void {
    this.#tellStatus();
    this.#waiters.moved();
  }

  #tellStatus(): void {
    if (this.#emit === undefined) return;
    const to = this.#change.status;
    if (to === this.#toldStatus) return;
    const from = this.#toldStatus;
    this.#toldStatus = to;
    this.#emit({ t: 'change', from, to });
  }

  #fail(cause: unknown): void {
    this.#failure = { cause };
    this.#driver.stop();
    this.#runner.stop();
    this.#waiters.fail(cause);
  }
}

function begin(opened: NewChange, log: ChangeLog): Change {
  const at = log.now();
  const record = {
    record: 'change',
    id: opened.id,
    kind: opened.kind,
    summary: opened.summary,
    scope: opened.scope ?? '',
    version: LOG_VERSION,
    ...(opened.data !== undefined && { data: opened.data }),
    ...(opened.growing === true && { growing: true as const }),
  } as const;
  log.add(record, at, true);
  return new Change(record, at).live();
}
