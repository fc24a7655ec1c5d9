import { unreachable } from '@cairn/diagnostics';
import type { LaneIndex, StatusPlan } from './abort.js';
import { planAbortLanes, planFailure } from './abort.js';
import type { Change } from './change.js';
import type { OnError } from './policies.js';
import type { Task } from './task.js';

/** Keeps track of failed lanes, and decides the effect of a failure on the other tasks [REC-10]. */
export class FailureDomains implements LaneIndex<Task> {
  readonly #failed = new Set<number>();
  #everything = false;
  readonly #change: Change;
  readonly #onError: OnError;

  constructor(change: Change, onError: OnError) {
    this.#change = change;
    this.#onError = onError;
  }

  /** Plans the consequences of a task's failure for the others. The plan may contain the task itself. */
  planFor(task: Task, inDoubt: boolean): StatusPlan<Task> {
    switch (this.#onError) {
      case 'continue':
        return planFailure([task]);
      case 'stop':
        return this.#stop(task);
      case 'rollback':
        // Nothing is undone around an unknown effect; its dependents cannot start anyway.
        if (inDoubt) return new Map();
        this.fail(task.lanes);
        return planAbortLanes(this, task.lanes);
      default:
        return unreachable(this.#onError);
    }
  }

  lane(lane: number): readonly Task[] {
    return this.#change.lane(lane);
  }

  isPresumedAlive(lane: number): boolean {
    return this.#change.isJoined(lane) && !this.#failed.has(lane);
  }

  /** Marks lanes as failed. */
  fail(lanes: readonly number[]): void {
    for (const lane of lanes) this.#failed.add(lane);
  }

  /** Prevents every further start, in all lanes. */
  failAll(): void {
    this.#everything = true;
  }

  /** Checks if every lane of the task has failed. */
  hasFailed(task: Task): boolean {
    return this.#everything || task.lanes.every((lane) => this.#failed.has(lane));
  }

  /** Returns why a newly added task must not start, or undefined if it may. */
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
      for (const member of this.#change.lane(lane)) {
        if (member.status === 'do' && this.hasFailed(member)) failing.push(member);
      }
    }
    return planFailure(failing);
  }
}

/** Statuses from which a task will not become done. */
const HOPELESS: ReadonlySet<string> = new Set(['hold', 'error', 'abort', 'undo', 'undoing', 'undone']);
