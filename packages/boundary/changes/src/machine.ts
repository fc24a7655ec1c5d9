import { BugError, cairnError } from '@cairn/diagnostics';
import type { ChangeView } from './change.js';
import { Change } from './change.js';
import { replayChange } from './replay.js';
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
import type { ChangePolicies } from './policies.js';
import { PRODUCT } from './policies.js';
import type { ChangeRecord, DataMap, TaskProgress } from './records.js';
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

/** Options of a machine. */
export interface MachineOptions {
  readonly store: ChangeStore;
  readonly kinds: StepKinds;
  /** Handlers for kinds that are not in `kinds`. With the policy `waitOnUnknownKind` they are never consulted. */
  readonly optional?: readonly OptionalKind[];
  /** Defaults to the system's clock. */
  readonly clock?: Clock;
  /** Number of handlers at a time; Infinity means no limit. Defaults to 10. */
  readonly parallelism?: number;
  /** Deviations from {@link PRODUCT}. */
  readonly policies?: Partial<ChangePolicies>;
  /**
   * Called before each start, in order. Any that returns true keeps the task until something has ended. Pure and cheap.
   */
  readonly blocked?: readonly BlockedPredicate[];
  /**
   * Called with the maximum delay in ms if the caller runs the passes with `ensure()`. By default the machine runs
   * them.
   */
  readonly ensureBefore?: (ms: number) => void;
  /** Receives events in order, as they happen (not yet durable). Must not throw and must return quickly. */
  readonly onEvent?: (event: ChangeEvent) => void;
}

/** Handlers of a change and the receiver of its events. */
type Handlers = Pick<MachineOptions, 'kinds' | 'blocked' | 'onEvent'>;

/** Properties of a new change. */
export interface NewChange {
  readonly id: string;
  readonly kind: string;
  readonly summary: string;
  /** Scope of the change, e.g. the identity of a stack. It is part of every idempotency token. */
  readonly scope?: string;
  readonly data?: DataMap;
  /** True if tasks will be added while it runs, until `complete()`. */
  readonly growing?: boolean;
}

/** Starts a new change on an empty store. Its first record is written with the first transaction. */
export function openChange(opened: NewChange, options: MachineOptions): ChangeMachine {
  return new ChangeMachine({ opened }, options);
}

/** Continues the change in the store. Undefined if the store is empty. */
export async function loadChange(options: MachineOptions): Promise<ChangeMachine | undefined> {
  const records = await options.store.load();
  return records.length === 0 ? undefined : new ChangeMachine({ records }, options);
}

type Origin = { readonly opened: NewChange } | { readonly records: readonly ChangeRecord[] };

/**
 * Running change. Tasks start by themselves in the turn after the transaction that added them. Only waiting is
 * asynchronous; the cost of a step does not depend on the number of tasks.
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
    this.#change = 'records' in origin ? replayChange(origin.records) : begin(origin.opened, this.#log);
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

  /** True if nothing runs and nothing will start by itself: the remaining tasks are in wait or behind one. */
  get idle(): boolean {
    return this.#runner.idle && !this.#driver.pending;
  }

  /**
   * Number of tasks that only wait for running ones to end. O(1); held or aborted tasks may still count for a while.
   */
  get waiting(): number {
    return this.#failure === undefined ? this.#runner.waiting : 0;
  }

  /** Reports that a name of a {@link BlockedPredicate} may be free: the tasks that it blocks are checked again. */
  unblock(name: string): void {
    if (this.#failure === undefined) this.#runner.unblockName(name);
  }

  /** Kinds with handlers. */
  get kinds(): KindRegistry {
    return this.#kinds;
  }

  /** Adds handlers that were created after the machine. Call it before the first task of their kinds is added. */
  handle({ kinds, blocked = [], onEvent }: Handlers): void {
    this.#kinds.add(kinds);
    this.#blocked.push(...blocked);
    this.#emit = onEvent ?? this.#emit;
  }

  /** Observes statuses of tasks, until the observer returns true or the returned function is called. */
  observeTasks(observer: TaskObserver): () => void {
    return this.#change.observers.observeTasks(observer);
  }

  /** Observes each value of the change's derived status in turn. */
  observeChange(observer: ChangeObserver): () => void {
    return this.#change.observers.observeChange(observer);
  }

  /** Tasks with a live handler. After `kill()` these are in doubt. */
  get running(): readonly TaskView[] {
    return [...this.#runner.running];
  }

  /**
   * Alters the change. `run` must not await. Its requests are applied when it returns, or not at all if it throws.
   * After a restart either all of them exist or none. Await {@link flush} to know that they are durable. Handlers,
   * promises of tasks and everything later wait for that by themselves.
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
   * Resolves when the task first comes to rest (an end or a wait) and that is durable, before the handlers of tasks
   * that wait for it are called. Rejects if the store fails or the machine is killed. Call it in the turn that added
   * the task to be sure to receive its outcome.
   */
  ended(id: string): Promise<TaskResult> {
    return this.#waiters.ended(this.#change.task(id));
  }

  /**
   * Resolves when nothing runs, nothing will start by itself, and everything is durable. The change is then ready and
   * clean, or it waits, or it is growing and all its tasks are at rest. Rejects if the store fails.
   */
  settled(): Promise<void> {
    const settled = this.#waiters.settled();
    soon(() => this.#moved());
    return settled;
  }

  /** Runs one pass: starts the tasks that may start [CHG-13]. Only needed if the caller runs the passes. */
  ensure(): void {
    this.#pass(true);
  }

  /** Resolves when no handler runs and everything so far is durable. Rejects if the store fails. */
  quiet(): Promise<void> {
    return this.#waiters.quiet();
  }

  /** Resolves when everything so far is durable, lazy records included. */
  flush(): Promise<void> {
    return this.#log.flush();
  }

  /** Rolls back the given lanes, or everything [CHG-15]. Repeating it changes nothing. */
  abort(lanes?: readonly number[]): void {
    this.tx((t) => (lanes === undefined ? t.abort() : t.abortLanes(lanes)));
  }

  /**
   * Prevents further starts in the lanes, or in all. Running tasks may finish, and done tasks remain done. For a polite
   * interrupt.
   */
  hold(reason: string, lanes?: readonly number[]): void {
    this.tx((t) => t.hold(reason, lanes));
  }

  /** Ends the addition of tasks: a growing change may then become ready. */
  complete(): void {
    this.tx((t) => t.complete());
  }

  /**
   * Stops this process's part [CHG-17]: the signal of every handler is aborted. Successes count; failures are retried
   * by the next process. Resolves when all handlers have returned and everything is durable.
   */
  async stop(): Promise<void> {
    this.#driver.stop();
    this.#runner.stop();
    await this.settled();
  }

  /** Ends only the handlers of these kinds, without waiting [CHG-17]. */
  stopKinds(kinds: readonly string[]): void {
    this.#runner.stopKinds(new Set(kinds));
  }

  /** Abandons everything at once: aborts all signals and records nothing more. Returns the tasks that are in doubt. */
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

  /** Runs a pass. A bug ends the change, not the process. */
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
      progress: (task, progress: TaskProgress) => this.#emit?.({ t: 'progress', task, progress }),
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
