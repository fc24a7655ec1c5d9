import type { Change } from '../src/change.js';
import type { DataMap, TaskAdded } from '../src/records.js';
import type { Task } from '../src/task.js';
import { LANE_ZERO, NO_DATA } from '../src/task.js';

/** Describes a change in full, for comparing two of them: everything that records decide. */
export function describeChange(change: Change): DataMap {
  return {
    id: change.id,
    status: change.status,
    ready: change.isReady,
    clean: change.clean,
    data: change.data,
    claims: change.claims,
    tasks: [...change.tasks.values()].map((task) => ({
      ...describeTask(task),
      halts: task.halts.map((other) => other.id),
      progressId: task.progressId,
      log: task.log,
      clean: task.clean,
      attempts: task.attempts,
      inDoubt: task.inDoubt,
      effect: task.effect,
      unmet: [task.unmetWaits, task.unmetHalts],
    })),
  };
}

/** Returns the record that adds a task in its present state. */
function describeTask(task: Task): TaskAdded {
  return {
    record: 'task',
    id: task.id,
    kind: task.kind,
    summary: task.summary,
    waits: task.waits.length === 0 ? undefined : task.waits.map((other) => other.id),
    lanes: task.lanes === LANE_ZERO ? undefined : task.lanes,
    priority: task.priority === 0 ? undefined : task.priority,
    status: task.status === 'do' ? undefined : task.status,
    waited: task.waited,
    notBefore: task.notBefore === undefined ? undefined : new Date(task.notBefore).toISOString(),
    data: task.data === NO_DATA ? undefined : task.data,
  };
}
