import type { Direction, Progress } from './records.js';
import type { TaskView } from './task.js';
import type { WaitedStatus } from './status.js';

/**
 * What a handler answers. A thrown error means the same as `error`. `entry` goes into the outcome record as it is,
 * together with the task's new status; an {@link EntryMaker} is called at that very moment. `value` goes to whoever
 * waits for the task in this process and is never stored.
 */
export type Outcome =
  | { readonly t: 'ok'; readonly entry?: unknown; readonly value?: unknown }
  /** It failed and what it did is known: `entry` may record a partial result. */
  | { readonly t: 'error'; readonly error: unknown; readonly entry?: unknown; readonly value?: unknown }
  /** Call me again, not before `afterMs` milliseconds. */
  | { readonly t: 'retry'; readonly afterMs?: number; readonly reason?: string }
  /** Something outside must happen; then the task is `then`, by default done. */
  | {
      readonly t: 'wait';
      readonly then?: Exclude<WaitedStatus, 'hold' | 'error'>;
      readonly reason: string;
      readonly entry?: unknown;
    }
  /** This is not to be done. */
  | { readonly t: 'hold'; readonly reason: string; readonly entry?: unknown }
  /** Nobody knows whether it took effect: `resolve` is asked, and without an answer the task waits for a person. */
  | { readonly t: 'unknown'; readonly reason: string; readonly value?: unknown };

/** Makes the entry of an outcome when that is recorded, once: for entries whose order is that of the log. */
export class EntryMaker {
  constructor(readonly make: () => unknown) {}
}

/** What a handler gets. `P` is the type of the payload that its tasks carry in this process. */
export interface StepContext<P = unknown> {
  readonly task: TaskView;
  /** What `addTask` was given, in this process; undefined after a restart. */
  readonly payload: P;
  /** Starts in this direction without a result so far, this one included: 1 at first. */
  readonly attempt: number;
  /**
   * Idempotency token: the same for every attempt until one has definitely failed. 52 characters a-z and 2-7 [CHG-26].
   */
  readonly token: string;
  /** Fires when the handler must end: the grace of an abort is over, or the machine stops. */
  readonly signal: AbortSignal;
  /** Fires as soon as the task is aborted or the machine stops, before any grace. */
  readonly asked: AbortSignal;
  /** Stores the id or the operation handle that the provider gave; durable when resolved. */
  note(id: string): Promise<void>;
  /** Adds an information line to the task's log. */
  log(line: string): void;
  /** Says how far it has come. Dropped unless `total` is positive and `done` at most `total`. */
  progress(progress: Progress): void;
  /**
   * Declares success before returning, with its entry; durable when resolved. Ignored while the task is being aborted.
   */
  finish(entry?: unknown): Promise<void>;
}

type MaybePromise<T> = T | Promise<T>;

/** How tasks of one kind are done, undone, resolved and cleaned up. */
export interface StepKind<P = unknown> {
  /**
   * The entry to store with the intent, durable before the handler is called. Undefined: the intent carries none.
   * Called synchronously; what it throws fails the task and the handler is not called.
   */
  begin?(context: StepContext<P>, direction: Direction): unknown;
  do(context: StepContext<P>): MaybePromise<Outcome>;
  /** Reverts exactly what `do` did. Without it the task counts as having no effect. */
  undo?(context: StepContext<P>): MaybePromise<Outcome>;
  /** Finds out what became of a start without a result (after a crash, or after `unknown`) [REC-2]. */
  resolve?(context: StepContext<P>, direction: Direction): MaybePromise<Outcome | 'run-again'>;
  /** Called once the change is ready, whatever became of the task. Its signal fires only when the machine stops. */
  cleanup?(context: StepContext<P>): MaybePromise<void>;
  /** Tasks of this kind do not count towards the parallelism. */
  readonly unlimited?: boolean;
}

/** The kinds of a change by name. A task of a kind that is not there never starts: it waits for a person. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has a payload of its own
export type StepKinds = Readonly<Record<string, StepKind<any>>>;
