import type { Change, ChangeView } from './change.js';
import type { DataMap, TaskAdded } from './records.js';
import type { Task } from './task.js';
import { LANE_ZERO, NO_DATA } from './task.js';

/**
 * Why a change failed [CHG-11]: undefined unless its status is error; otherwise one line for each ERROR line in
 * the log of each task in error, in order of creation.
 */
export function changeError(change: ChangeView): string | undefined {
  if (change.status !== 'error') return undefined;
  const lines: string[] = [];
  for (const task of change.tasks.values()) {
    if (task.status !== 'error') continue;
    for (const line of task.log) {
      const text = /^\S+ ERROR (?<text>[\s\S]*)/.exec(line)?.groups?.['text'];
      if (text !== undefined) lines.push(`- ${task.summary} (${text})`);
    }
  }
  if (lines.length === 0)
    return `internal inconsistency: change "${change.kind}" in error with no task errors logged`;
  return ['cannot perform the following tasks:', ...lines].join('\n');
}

/** A change in full, for comparing two of them and for showing one: everything that records decide. */
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

/** The record that adds a task as it is now. */
export function describeTask(task: Task): TaskAdded {
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
