import { pendingName, pendingStep } from '@cairn/state';
import type { PendingOperation, Snapshot } from '@cairn/state';
import type { PastTask } from '../model/history.js';

/** In place of a number: the change that began it has left no record; only the state knows of it. */
export const ONLY_STATE = 'state';

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
