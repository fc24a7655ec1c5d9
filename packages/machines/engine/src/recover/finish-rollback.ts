import { ON_THE_WAY_BACK } from '../model/history.js';
import type { Continued } from '../model/history.js';
import type { OperationRequest } from '../model/request.js';

/**
 * Tells whether the last change of a lineage was being rolled back when it ended, or was itself a rollback that has not
 * ended. The latter may have only questions about the change before it. O(tasks).
 */
function wasBeingRolledBack({ past, rollsBack }: Continued): boolean {
  if (rollsBack === true) return true;
  const last = past.at(-1)?.change;
  return past.some(({ change, status }) => change === last && ON_THE_WAY_BACK.has(status));
}

/**
 * Returns the request as it is carried out. Continuing an operation that was being rolled back means finishing the
 * rollback. That needs no program, and none of its steps starts again. Any other request is returned as it is.
 */
export function asContinued(request: OperationRequest): OperationRequest {
  const { continues, policy } = request;
  // A step that failed on its own while the others continued is tried again with them.
  if ((policy.isolate ?? 'none') !== 'none') return request;
  if (continues?.how !== 'resume' || request.kind === 'rollback') return request;
  return wasBeingRolledBack(continues) ? { ...request, kind: 'rollback' } : request;
}
