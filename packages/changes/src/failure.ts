import { unreachable } from '@cairn/diagnostics';
import type { LaneIndex, StatusPlan } from './abort.js';
import { planAbortLanes, planFall } from './abort.js';
import type { Change } from './change.js';
import type { OnError } from './policies.js';
import type { Task } from './task.js';

/** Remembers which lanes have fallen, and decides what a failure does to the other tasks [REC-10]. */
export class FailureDomains implements LaneIndex<Task> {
  readonly #fallen = new Set<number>();
  #everything = false;

  constructor(
    private readonly change: Change,
    private readonly onError: OnError,
  ) {}

  /** What the failure of this task means for the others. The task itself may be part of the plan. */
  planFor(task: Task, inDoubt: boolean): StatusPlan<Task> {
    switch (this.onError) {
      case 'continue':
        return planFall([task]);
      case 'stop':
        return this.#stop(task);
      case 'rollback':
        // Nothing is undone around an effect that nobody knows about; its dependents cannot start anyway.
        if (inDoubt) return new Map();
        this.fall(task.lanes);
        return planAbortLanes(this, task.lanes);
      default:
        return unreachable(this.onError);
    }
  }

  lane(lane: number): readonly Task[] {
    return this.change.lane(lane);
  }

  isPresumedAlive(lane: number): boolean {
    return this.change.isJoined(lane) && !this.#fallen.has(lane);
  }

  /** These lanes have fallen. */
  fall(lanes: readonly number[]): void {
    for (const lane of lanes) this.#fallen.add(lane);
  }

  /** Nothing may start any more, in any lane. */
  fallAll(): void {
    this.#everything = true;
  }

  /** Whether every lane of the task has fallen. */
  hasFallen(task: Task): boolean {
    return this.#everything || task.lanes.every((lane) => this.#fallen.has(lane));
  }

  /** Why a task that is only now added must not start, if so. */
  refusal(task: Task): string | undefined {
    if (this.#everything) return 'the change is ending';
    if (this.hasFallen(task)) return 'another task of its lane has failed';
    const hopeless = task.waits.find((needed) => HOPELESS.has(needed.status));
    return hopeless === undefined
      ? undefined
      : `it waits for task ${hopeless.id}, which is ${hopeless.status}`;
  }

  #stop(task: Task): StatusPlan<Task> {
    const fresh = task.lanes.filter((lane) => !this.#fallen.has(lane));
    this.fall(fresh);
    const falling = [task];
    for (const lane of fresh) {
      for (const member of this.change.lane(lane)) {
        if (member.status === 'do' && this.hasFallen(member)) falling.push(member);
      }
    }
    return planFall(falling);
  }
}

/** Statuses from which a task is not going to be done. */
const HOPELESS: ReadonlySet<string> = new Set(['hold', 'error', 'abort', 'undo', 'undoing', 'undone']);
