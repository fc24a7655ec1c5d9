import type { Status } from '@cairn/changes';
import type { PastTask } from '../model/history.js';
import type { OperationRequest } from '../model/request.js';

/** Where a task stands that was on its way back when its process died. */
const ON_THE_WAY_BACK: ReadonlySet<Status> = new Set<Status>(['abort', 'undo', 'undoing']);

/** Whether the last change of a lineage was being rolled back when it ended. O(tasks). */
function wasBeingRolledBack(past: readonly PastTask[]): boolean {
  const last = past.at(-1)?.change;
  return past.some(({ change, status }) => change === last && ON_THE_WAY_BACK.has(status));
}

/**
 * The request as it is carried out: going on with an operation that was being rolled back means to finish that, which
 * needs no program; nothing of it is started again. Any other request is what it was.
 */
export function asContinued(request: OperationRequest): OperationRequest {
  const { continues, policy } = request;
  // What failed on its own while the others went on is tried again with them.
  if ((policy.isolate ?? 'none') !== 'none') return request;
  if (continues?.how !== 'resume' || request.kind === 'rollback') return request;
  return wasBeingRolledBack(continues.past) ? { ...request, kind: 'rollback' } : request;
}
