import type { PendingOperation, Snapshot } from '@cairn/state';
import type { PastTask } from './past-tasks.js';

/** In place of a number: the change that began it has left no record; only the state knows of it. */
export const ONLY_STATE = 'state';

/**
 * What is to be resolved before an operation on this stack starts. The state knows which creates are pending, whoever began
 * them; records add how to find out. A create that the state does not know any more was settled elsewhere. Each step once:
 * the last start of it counts.
 */
export function stepsInDoubt(
  past: readonly PastTask[],
  { pendingOperations }: Snapshot,
): readonly PastTask[] {
  const found = new Map<string, PastTask>();
  const pending = new Set(pendingOperations.filter(({ type }) => type === 'creating').map(stepName));
  for (const task of past) {
    const { doubt } = task;
    if (doubt === undefined) continue;
    const name = stepName(doubt);
    if (doubt.type !== 'creating' || pending.has(name)) found.set(name, task);
  }
  pendingOperations.forEach((operation, index) => {
    const name = stepName(operation);
    if (!found.has(name)) found.set(name, unrecorded(operation, index));
  });
  return [...found.values()];
}

/** Several objects of one resource may be on their way out at once; an object that is being created has no id that would tell. */
function stepName({ type, resource }: Pick<PendingOperation, 'type' | 'resource'>): string {
  return type === 'creating' ? `${type} ${resource.urn}` : `${type} ${resource.urn} ${resource.id}`;
}

function unrecorded({ type, resource }: PendingOperation, index: number): PastTask {
  return {
    change: ONLY_STATE,
    id: String(index + 1),
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
