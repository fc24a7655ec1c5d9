import { BugError, unreachable } from '@cairn/diagnostics';
import { planAbort, planAbortLanes } from './abort.js';
import type { Change } from './change.js';
import type { Status, WaitedStatus } from './status.js';
import { effectiveStatus, transition } from './status.js';
import type { Task, TaskView } from './task.js';

/** What a successor does with the tasks of the change that it goes on with. */
export type Succession =
  | { readonly how: 'resume' }
  /** Undefined lanes: everything. */
  | { readonly how: 'rollback'; readonly lanes?: readonly number[] };

/** A task as the successor takes it over. Its edges and lanes are those of the task. */
export interface TakenTask {
  readonly task: TaskView;
  readonly status: Status;
  /** Where its wait leads; undefined for one that does not wait. */
  readonly waited: WaitedStatus | undefined;
}

/**
 * How the tasks of a change stand in the change that goes on with it [CHG-29]: the first change keeps its end, its
 * successor owns the same tasks. Resume: what held or failed is to be done again, as long as everything that it waits
 * for is done or will be; a failed one is a new attempt. Rollback: what is done is to be undone, in the lanes that were
 * named, by the rules of an abort; what failed on its way back is tried again. Pure; in order of creation. A change
 * whose clean-up has begun is past the point of no return: that is a mistake of the caller's.
 */
export function succeed(change: Change, succession: Succession): readonly TakenTask[] {
  const tasks = [...change.tasks.values()];
  if (tasks.some((task) => task.clean)) throw new BugError(`change ${change.id} has begun to clean up`);
  switch (succession.how) {
    case 'resume':
      return resumed(tasks);
    case 'rollback':
      return rolledBack(change, tasks, succession.lanes);
    default:
      return unreachable(succession);
  }
}

function resumed(tasks: readonly Task[]): readonly TakenTask[] {
  const taken = new Map<TaskView, Status>();
  for (const task of tasks) {
    const { status } = task;
    const again = (status === 'hold' || status === 'error') && !task.effect;
    const met = task.waits.every((other) =>
      MEETS.has(effectiveStatus(taken.get(other) ?? other.status, other.waited)),
    );
    taken.set(task, again && met ? transition(status, 'resume') : status);
  }
  return tasks.map((task) => {
    const status = taken.get(task) as Status;
    return { task, status, waited: status === 'wait' ? task.waited : undefined };
  });
}

function rolledBack(
  change: Change,
  tasks: readonly Task[],
  lanes: readonly number[] | undefined,
): readonly TakenTask[] {
  const plan = lanes === undefined ? planAbort(change, tasks) : planAbortLanes(change, lanes);
  const chosen = (task: Task): boolean =>
    lanes === undefined || task.lanes.some((lane) => lanes.includes(lane));
  return tasks.map((task) => {
    const stuck = (task.status === 'hold' || task.status === 'error') && task.effect && chosen(task);
    const status = stuck ? transition(task.status, 'take-back') : (plan.get(task) ?? task.status);
    if (status !== 'wait') return { task, status, waited: undefined };
    return { task, status, waited: plan.has(task) ? 'undo' : task.waited };
  });
}

/** Statuses from which a task is done or will be. */
const MEETS: ReadonlySet<Status> = new Set<Status>(['do', 'doing', 'done']);
