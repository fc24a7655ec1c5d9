import { cairnError } from '@cairn/diagnostics';
import { pendingName, pendingStep } from '@cairn/state';
import type { PendingOperation, ResourceEntry, Snapshot } from '@cairn/state';
import { doubtName, taskKey } from '../model/history.js';
import type { Doubt, PastTask } from '../model/history.js';

/** Replaces the number of a change that has left no record: only the state knows the step. */
const ONLY_STATE = 'state';

/**
 * Returns the steps to resolve before an operation on this stack starts. The state knows which creates are pending, no
 * matter which operation began them; records add how to find out. A create that the state no longer has was settled
 * elsewhere. Each step is listed once: its last start counts. If its resource was renamed since, it has the new name.
 */
export function stepsInDoubt(
  past: readonly PastTask[],
  { pendingOperations }: Snapshot,
): readonly PastTask[] {
  const found = new Map<string, PastTask>();
  const pending = new Set(pendingOperations.map(pendingStep));
  for (const task of past) {
    const { doubt } = task;
    if (doubt === undefined) continue;
    const name = pendingStep(doubt);
    if (doubt.type !== 'creating' || pending.has(name)) found.set(name, task);
  }
  for (const operation of pendingOperations) {
    const name = pendingStep(operation);
    if (found.has(name)) continue;
    const former = [...found].find(([other, task]) => !pending.has(other) && isRenamed(task, operation));
    if (former === undefined) found.set(name, unrecorded(operation));
    else {
      found.delete(former[0]);
      found.set(name, withName(former[1], operation.resource));
    }
  }
  return [...found.values()];
}

/** Tells whether a recorded step is the pending one, about the same object under a former name. */
function isRenamed({ doubt }: PastTask, { type, resource }: PendingOperation): boolean {
  if (doubt === undefined || type === 'creating' || resource.id === '') return false;
  const { id, type: kind } = doubt.resource;
  return doubt.type === type && id === resource.id && kind === resource.type;
}

function withName(task: PastTask, resource: ResourceEntry): PastTask {
  return { ...task, urn: resource.urn, doubt: task.doubt && { ...task.doubt, resource } };
}

function unrecorded({ type, resource }: PendingOperation): PastTask {
  return {
    change: ONLY_STATE,
    id: pendingName({ type, resource }),
    kind: type,
    urn: resource.urn,
    status: 'doing',
    undone: false,
    goal: undefined,
    rollback: undefined,
    lanes: [],
    doubt: { type, direction: 'do', resource, token: '' },
  };
}

/** A step in doubt, with the names that users may use for it. */
export interface NamedDoubt {
  /** Name; it remains the same while the step is in doubt. */
  readonly name: string;
  /** Tasks that began it or were to find out about it, such as `7/3`. The present one comes first. */
  readonly tasks: readonly string[];
  readonly task: PastTask;
  readonly doubt: Doubt;
}

/** Names the steps in doubt. `past`: every task of the changes that must be read to find the steps in doubt. */
export function namedDoubts(inDoubt: readonly PastTask[], past: readonly PastTask[]): readonly NamedDoubt[] {
  return inDoubt.flatMap((task) => {
    const { doubt } = task;
    return doubt === undefined ? [] : [{ name: doubtName(doubt), tasks: tasksOf(task, past), task, doubt }];
  });
}

function tasksOf(task: PastTask, past: readonly PastTask[]): readonly string[] {
  const tasks = [taskKey(task)];
  let before = task.resolves;
  while (before !== undefined && !tasks.includes(before)) {
    const key: string = before;
    tasks.push(key);
    before = past.find((other) => taskKey(other) === key)?.resolves;
  }
  return tasks;
}

/**
 * Finds a step by its name, by a task, or by the URN of its resource. Throws CAIRN-CHANGE-ENDED if there is none,
 * CAIRN-USAGE if there are several.
 */
export function chosenDoubt(doubts: readonly NamedDoubt[], key: string): NamedDoubt {
  const meant = doubts.filter(
    ({ name, tasks, doubt }) => name === key || doubt.resource.urn === key || tasks.includes(key),
  );
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  if (meant.length > 1)
    throw cairnError('CAIRN-USAGE', `${key} matches ${meant.length} steps in doubt`, {
      hint: `Name one of them: ${listed(meant)}.`,
    });
  throw cairnError('CAIRN-CHANGE-ENDED', `${key} is not in doubt`, {
    hint:
      doubts.length === 0
        ? 'Check the name: no step of this stack is in doubt.'
        : `Name one that is: ${listed(doubts)}.`,
  });
}

function listed(doubts: readonly NamedDoubt[]): string {
  return doubts.map(({ name, doubt }) => `${name} (${doubt.type} ${doubt.resource.urn})`).join(', ');
}
