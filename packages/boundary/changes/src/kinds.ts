import type { Direction, TaskProgress } from './records.js';
import type { TaskView } from './task.js';
import type { WaitedStatus } from './status.js';

/**
 * Outcome of a handler. A thrown error means the same as `error`. `entry` is stored unchanged in the outcome record,
 * together with the task's new status; an {@link EntryMaker} is called at that moment. `value` goes to callers in this
 * process that wait for the task, and is never stored.
 */
export type CallOutcome =
  | { readonly t: 'ok'; readonly entry?: unknown; readonly value?: unknown }
  /** The call failed with a known effect: `entry` may record a partial result. */
  | { readonly t: 'error'; readonly error: unknown; readonly entry?: unknown; readonly value?: unknown }
  /** The handler asks to be called again, not before `afterMs` milliseconds. */
  | { readonly t: 'retry'; readonly afterMs?: number; readonly reason?: string }
  /** Something outside must happen; then the task gets the status `then`. Defaults to done. */
  | {
      readonly t: 'wait';
      readonly then?: Exclude<WaitedStatus, 'hold' | 'error'>;
      readonly reason: string;
      readonly entry?: unknown;
    }
  /** The task must not be done. */
  | { readonly t: 'hold'; readonly reason: string; readonly entry?: unknown }
  /** The effect is not known: `resolve` is called, and without an answer the task waits for a person. */
  | { readonly t: 'unknown'; readonly reason: string; readonly value?: unknown };

/** Makes the entry of an outcome once, when it is recorded. For entries whose order is that of the log. */
export class EntryMaker {
  constructor(readonly make: () => unknown) {}
}

/** Context of a handler. `P` is the type of the payload that its tasks have in this process. */
export interface StepContext<P = unknown> {
  readonly task: TaskView;
  /** Payload that `addTask` received in this process. Undefined after a restart. */
  readonly payload: P;
  /** Number of starts in this direction without a result so far, this one included. It is 1 at first. */
  readonly attempt: number;
  /**
   * Idempotency token: the same for every attempt until one has definitely failed. 52 characters a-z and 2-7 [CHG-26].
   */
  readonly token: string;
  /** Aborted when the handler must end: the grace of an abort is over, or the machine stops. */
  readonly signal: AbortSignal;
  /** Aborted as soon as the task is aborted or the machine stops, before any grace. */
  readonly asked: AbortSignal;
  /** Stores the id or the operation handle that the provider returned; durable when the promise resolves. */
  note(id: string): Promise<void>;
  /** Adds an information line to the task's log. */
  log(line: string): void;
  /** Reports progress. Dropped unless `total` is positive and `done` at most `total`. */
  progress(progress: TaskProgress): void;
  /**
   * Declares success before returning, with its entry; durable when the promise resolves. Ignored while the task is
   * being aborted.
   */
  finish(entry?: unknown): Promise<void>;
}

type MaybePromise<T> = T | Promise<T>;

/** Handlers that do, undo, resolve and clean up tasks of one kind. */
export interface TaskDefinition<P = unknown> {
  /**
   * Returns the entry to store with the intent, durable before the handler is called. Undefined if the intent has none.
   * Called synchronously. If it throws, the task fails and the handler is not called.
   */
  begin?(context: StepContext<P>, direction: Direction): unknown;
  /**
   * Returns true if `do` has no effect outside of the change. It is then called before the intent is durable, so that
   * intent and outcome are one write.
   */
  isLocal?(context: StepContext<P>): boolean;
  do(context: StepContext<P>): MaybePromise<CallOutcome>;
  /** Reverts exactly the effect of `do`. Without it the task counts as having no effect. */
  undo?(context: StepContext<P>): MaybePromise<CallOutcome>;
  /** Finds out the effect of a start without a result (after a crash, or after `unknown`) [REC-2]. */
  resolve?(context: StepContext<P>, direction: Direction): MaybePromise<CallOutcome | 'run-again'>;
  /**
   * Called once the change is ready, whatever the end of the task. Its signal is aborted only when the machine stops.
   */
  cleanup?(context: StepContext<P>): MaybePromise<void>;
  /** True if tasks of this kind do not count towards the parallelism. */
  readonly unlimited?: boolean;
}

/** Kinds of a change by name. A task of a missing kind never starts: it waits for a person. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has a payload of its own
export type StepKinds = Readonly<Record<string, TaskDefinition<any>>>;
