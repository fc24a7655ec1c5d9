import type { Clock } from './clock.js';
import type { Outcome, StepKind } from './kinds.js';
import type { Policies } from './policies.js';
import type { Progress } from './records.js';
import type { Status } from './status.js';
import type { Task, TaskView } from './task.js';
import type { ChangeWriter } from './writer.js';

/**
 * Whether a task may not start now, given the tasks that run (those started earlier in the same pass included) and what
 * the task works on. True: it is asked again whenever something of the change has ended. A text names what it waits
 * for, which need not be of this change: it is asked again after {@link ChangeMachine.unblock} with that name, in the
 * order of the tasks, and those behind a task that is still blocked by the same name are not asked.
 */
export type BlockedPredicate = (
  candidate: TaskView,
  running: ReadonlySet<TaskView>,
  payload: unknown,
) => boolean | string;

/** What the runner needs from outside. */
export interface RunnerPorts {
  readonly writer: ChangeWriter;
  readonly clock: Clock;
  readonly kindOf: (kind: string) => StepKind | undefined;
  readonly policies: Policies;
  /** How many handlers of limited kinds may run at a time; Infinity: no limit. */
  readonly parallelism: number;
  readonly blocked: readonly BlockedPredicate[];
  /** Asks for a pass within so many milliseconds; an earlier request stands. */
  readonly ensureBefore: (ms: number) => void;
  readonly listener: RunnerListener;
}

/** Told what happens, as it happens. */
export interface RunnerListener {
  status(task: Task, from: Status): void;
  /** A handler has come to a rest and it is recorded; `seq` must be durable before anybody outside relies on it. */
  outcome(task: Task, outcome: Outcome): void;
  failed(task: Task, error: unknown): void;
  log(task: Task, line: string): void;
  progress(task: Task, progress: Progress): void;
  warning(task: Task, text: string): void;
  /** Something may have come to an end. */
  moved(): void;
  /** A mistake of ours that stops the change. */
  broken(error: unknown): void;
}
