import type { Status, WaitedStatus } from './status.js';
import { effectiveStatus, isReady, transition } from './status.js';

/** Properties of a task that an abort needs. */
export interface LaneNode {
  readonly order: number;
  readonly status: Status;
  readonly waited: WaitedStatus | undefined;
  readonly lanes: readonly number[];
  readonly halts: readonly LaneNode[];
  /** True if it was started and its effect is not known. Defaults to false. */
  readonly inDoubt?: boolean;
}

/** Tasks of a change by lane, each lane in order of creation. */
export interface LaneIndex<T extends LaneNode> {
  lane(lane: number): readonly T[];
  /** Returns true if the lane counts as alive even if none of its tasks does. If absent, no lane does. */
  isPresumedAlive?(lane: number): boolean;
}

/**
 * Statuses to set, in the order in which the tasks were met. With `wait` a task continues to wait and is undone when
 * the wait is over.
 */
export type StatusPlan<T> = ReadonlyMap<T, Status>;

/** Plan in progress. Every task is met once, however many paths lead to it. */
interface Walk<T> {
  readonly seen: Set<T>;
  readonly lanes: Set<number>;
  readonly plan: Map<T, Status>;
}

/** Aborts the given tasks with everything that depends on them, and the lanes that fail with them [CHG-15]. */
export function planAbort<T extends LaneNode>(index: LaneIndex<T>, tasks: Iterable<T>): StatusPlan<T> {
  const walk: Walk<T> = { seen: new Set(), lanes: new Set(), plan: new Map() };
  spread(index, abortTasks([...tasks], walk), walk);
  return walk.plan;
}

/** Aborts lanes [CHG-15]. Tasks that a healthy lane keeps remain unchanged. */
export function planAbortLanes<T extends LaneNode>(
  index: LaneIndex<T>,
  lanes: Iterable<number>,
): StatusPlan<T> {
  const walk: Walk<T> = { seen: new Set(), lanes: new Set(), plan: new Map() };
  spread(index, [...lanes], walk);
  return walk.plan;
}

/** Returns the lanes of all tasks that are not ready [CHG-15] [CHG-20]. */
export function unreadyLanes(tasks: Iterable<Pick<LaneNode, 'status' | 'lanes'>>): readonly number[] {
  const lanes = new Set<number>();
  for (const task of tasks) if (!isReady(task.status)) for (const lane of task.lanes) lanes.add(lane);
  return [...lanes];
}

/**
 * Plans which tasks must no longer start [REC-10]: the given tasks, and every dependent of a given task or of one that
 * fails. Tasks that have started already are not changed.
 */
export function planFailure<T extends LaneNode>(tasks: Iterable<T>): StatusPlan<T> {
  const plan = new Map<T, Status>();
  const list = [...tasks];
  const given = list.length;
  for (let at = 0; at < list.length; at += 1) {
    const task = list[at] as T;
    const next = plan.has(task) ? task.status : transition(task.status, 'lane-failed', task.waited);
    if (next !== task.status) plan.set(task, next);
    else if (at >= given) continue;
    for (const dependent of task.halts) list.push(dependent as T);
  }
  return plan;
}

function spread<T extends LaneNode>(index: LaneIndex<T>, first: readonly number[], walk: Walk<T>): void {
  for (let lanes = first; lanes.length > 0;) {
    const failing = new Set(lanes);
    const candidates = members(index, failing);
    const isKept = healthyLanes(index, failing, walk);
    for (const lane of failing) walk.lanes.add(lane);
    const dropped = candidates.filter((task) => !task.lanes.some(isKept));
    lanes = abortTasks(dropped, walk);
  }
}

/** Returns members of any of the lanes, once each, in order of creation. */
function members<T extends LaneNode>(index: LaneIndex<T>, lanes: ReadonlySet<number>): T[] {
  if (lanes.size === 1) for (const lane of lanes) return [...index.lane(lane)];
  const found = new Set<T>();
  for (const lane of lanes) for (const task of index.lane(lane)) found.add(task);
  return [...found].sort((a, b) => a.order - b.order);
}

/**
 * Returns a test for lanes outside the failing ones: such a lane is healthy if it has live members and no dead ones.
 * Each lane is examined once, on demand.
 */
function healthyLanes<T extends LaneNode>(
  index: LaneIndex<T>,
  failing: ReadonlySet<number>,
  walk: Walk<T>,
): (lane: number) => boolean {
  const known = new Map<number, boolean>();
  return (lane) => {
    if (failing.has(lane)) return false;
    const before = known.get(lane);
    if (before !== undefined) return before;
    const healthy = isHealthy(index, lane, failing, walk);
    known.set(lane, healthy);
    return healthy;
  };
}

function isHealthy<T extends LaneNode>(
  index: LaneIndex<T>,
  lane: number,
  failing: ReadonlySet<number>,
  walk: Walk<T>,
): boolean {
  let live = index.isPresumedAlive?.(lane) ?? false;
  for (const task of index.lane(lane)) {
    if (!hasOpinion(task, lane, failing)) continue;
    if (!isLive(walk.plan.get(task) ?? effectiveStatus(task.status, task.waited))) return false;
    live = true;
  }
  return live;
}

/**
 * Returns true if the task's status counts for the lane. A task in a failing lane counts only for the lanes it lists
 * before its first failing one [CHG-15].
 */
function hasOpinion(task: LaneNode, lane: number, failing: ReadonlySet<number>): boolean {
  for (const own of task.lanes) {
    if (failing.has(own)) return false;
    if (own === lane) return true;
  }
  return false;
}

/**
 * True for a task that may have had an effect. It must be neither forgotten nor undone until the effect is known
 * [REC-2].
 */
function waitsInDoubt({ status, waited, inDoubt }: LaneNode): boolean {
  return status === 'wait' && waited === 'do' && inDoubt === true;
}

function isLive(status: Status): boolean {
  return status === 'do' || status === 'doing' || status === 'done';
}

/** Aborts the tasks and all their dependents. Returns the lanes it met that have not failed yet. */
function abortTasks<T extends LaneNode>(tasks: T[], walk: Walk<T>): readonly number[] {
  const lanes = new Set<number>();
  for (let at = 0; at < tasks.length; at += 1) {
    const task = tasks[at] as T;
    if (walk.seen.has(task)) continue;
    walk.seen.add(task);
    const next = waitsInDoubt(task) ? 'wait' : transition(task.status, 'abort', task.waited);
    if (next !== task.status || waitsInDoubt(task)) walk.plan.set(task, next);
    for (const lane of task.lanes) if (!walk.lanes.has(lane)) lanes.add(lane);
    for (const dependent of task.halts) tasks.push(dependent as T);
  }
  return [...lanes];
}
