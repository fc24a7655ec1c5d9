import { unreachable } from '@cairn/diagnostics';
import type { LaneIndex, StatusPlan } from './abort.js';
import { planAbortLanes, planFailure } from './abort.js';
import type { Change } from './change.js';
import type { OnError } from './policies.js';
import type { Task } from './task.js';

/** Remembers which lanes have failed, and decides what a failure does to the other tasks [REC-10]. */
export class FailureDomains implements LaneIndex<Task> {
  readonly #failed = new Set<number>();
  #everything = false;

  constructor(
    private readonly change: Change,
    private readonly onError: OnError,
  ) {}

  /** What the failure of this task means for the others. The task itself may be part of the plan. */
  planFor(task: Task, inDoubt: boolean): StatusPlan<Task> {
    switch (this.onError) {
      case 'continue':
        return planFailure([task]);
      case 'stop':
        return this.#stop(task);
      case 'rollback':
        // Nothing is undone around an effect that nobody knows about; its dependents cannot start anyway.
        if (inDoubt) return new Map();
        this.fail(task.lanes);
        return planAbortLanes(this, task.lanes);
      default:
        return unreachable(this.onError);
    }
  }

  lane(lane: number): readonly Task[] {
    return this.change.lane(lane);
  }

  isPresumedAlive(lane: number): boolean {
    return this.change.isJoined(lane) && !this.#failed.has(lane);
  }

  /** These lanes have failed. */
  fail(lanes: readonly number[]): void {
    for (const lane of lanes) this.#failed.add(lane);
  }

  /** Nothing may start any more, in any lane. */
  failAll(): void {
    this.#everything = true;
  }

  /** Whether every lane of the task has failed. */
  hasFailed(task: Task): boolean {
    return this.#everything || task.lanes.every((lane) => this.#failed.has(lane));
  }

  /** Why a task that is only now added must not start, if so. */
  refusal(task: Task): string | undefined {
    if (this.#everything) return 'the change is ending';
    if (this.hasFailed(task)) return 'another task of its lane has failed';
    const hopeless = task.waits.find((needed) => HOPELESS.has(needed.status));
    return hopeless === undefined
      ? undefined
      : `it waits for task ${hopeless.id}, which is ${hopeless.status}`;
  }

  #stop(task: Task): StatusPlan<Task> {
    const fresh = task.lanes.filter((lane) => !this.#failed.has(lane));
    this.fail(fresh);
    const failing = [task];
    for (const lane of fresh) {
      for (const member of this.change.lane(lane)) {
        if (member.status === 'do' && this.hasFailed(member)) failing.push(member);
      }
    }
    return planFailure(failing);
  }
}

/** Statuses from which a task is not going to be done. */
const HOPELESS: ReadonlySet<string> = new Set(['hold', 'error', 'abort', 'undo', 'undoing', 'undone']);
