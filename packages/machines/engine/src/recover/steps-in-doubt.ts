import { cairnError } from '@cairn/diagnostics';
import { pendingName, pendingStep } from '@cairn/state';
import type { PendingOperation, Snapshot } from '@cairn/state';
import { doubtName, taskKey } from '../model/history.js';
import type { Doubt, PastTask } from '../model/history.js';

/** In place of a number: the change that began it has left no record; only the state knows of it. */
const ONLY_STATE = 'state';

/**
 * What is to be resolved before an operation on this stack starts. The state knows which creates are pending, whoever
 * began them; records add how to find out. A create that the state does not know any more was settled elsewhere. Each
 * step once: the last start of it counts.
 */
export function stepsInDoubt(
  past: readonly PastTask[],
  { pendingOperations }: Snapshot,
): readonly PastTask[] {
  const found = new Map<string, PastTask>();
  const pending = new Set(pendingOperations.filter(({ type }) => type === 'creating').map(pendingStep));
  for (const task of past) {
    const { doubt } = task;
    if (doubt === undefined) continue;
    const name = pendingStep(doubt);
    if (doubt.type !== 'creating' || pending.has(name)) found.set(name, task);
  }
  for (const operation of pendingOperations) {
    const name = pendingStep(operation);
    if (!found.has(name)) found.set(name, unrecorded(operation));
  }
  return [...found.values()];
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

/** A step in doubt, as people may name it. */
export interface NamedDoubt {
  /** The same for as long as it is in doubt. */
  readonly name: string;
  /** Tasks that began it or were to find out about it, `7/3`: the present one first. */
  readonly tasks: readonly string[];
  readonly task: PastTask;
  readonly doubt: Doubt;
}

/** `past`: every task of the changes that must be read to know what is in doubt. */
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
 * The step that is meant by its name, by a task, or by the URN of its resource. Throws CAIRN-CHANGE-ENDED when there is
 * none, CAIRN-USAGE when there are several.
 */
export function chosenDoubt(doubts: readonly NamedDoubt[], key: string): NamedDoubt {
  const meant = doubts.filter(
    ({ name, tasks, doubt }) => name === key || doubt.resource.urn === key || tasks.includes(key),
  );
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  if (meant.length > 1)
    throw cairnError('CAIRN-USAGE', `${key} stands for ${meant.length} steps in doubt`, {
      hint: `name one of them: ${listed(meant)}`,
    });
  throw cairnError('CAIRN-CHANGE-ENDED', `${key} is not in doubt`, {
    hint: doubts.length === 0 ? 'no step of this stack is' : `in doubt: ${listed(doubts)}`,
  });
}

function listed(doubts: readonly NamedDoubt[]): string {
  return doubts.map(({ name, doubt }) => `${name} (${doubt.type} ${doubt.resource.urn})`).join(', ');
}
