import type { Clock } from './clock.js';
import type { CallOutcome, TaskDefinition } from './kinds.js';
import type { ChangePolicies } from './policies.js';
import type { TaskProgress } from './records.js';
import type { Status } from './status.js';
import type { Task, TaskView } from './task.js';
import type { ChangeWriter } from './writer.js';

/**
 * Decides if a task may not start now, given the running tasks (those started earlier in the same pass included) and
 * its payload. With true, it is called again whenever a handler of the change has ended. A text names the blocker,
 * which need not belong to this change. It is then called again after {@link ChangeMachine.unblock} with that name, in
 * the order of the tasks. Tasks behind one that the same name still blocks are not checked.
 */
export type BlockedPredicate = (
  candidate: TaskView,
  running: ReadonlySet<TaskView>,
  payload: unknown,
) => boolean | string;

/** Dependencies of the runner. */
export interface RunnerPorts {
  readonly writer: ChangeWriter;
  readonly clock: Clock;
  readonly kindOf: (kind: string) => TaskDefinition | undefined;
  readonly policies: ChangePolicies;
  /** Maximum number of concurrent handlers of limited kinds; Infinity means no limit. */
  readonly parallelism: number;
  readonly blocked: readonly BlockedPredicate[];
  /** Requests a pass within so many milliseconds. An earlier request remains valid. */
  readonly ensureBefore: (ms: number) => void;
  readonly listener: RunnerListener;
}

/** Receives events of the runner as they happen. */
export interface RunnerListener {
  status(task: Task, from: Status): void;
  /** Called when a handler has answered and its outcome is recorded. The record need not be durable yet. */
  outcome(task: Task, outcome: CallOutcome): void;
  failed(task: Task, error: unknown): void;
  log(task: Task, line: string): void;
  progress(task: Task, progress: TaskProgress): void;
  warning(task: Task, text: string): void;
  /** Called when the change may have become idle or ready. */
  moved(): void;
  /** Called for a bug that stops the change. */
  broken(error: unknown): void;
}
