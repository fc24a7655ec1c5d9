import type { RequestRow, RunRow } from './rows.js';
import { hasRunEnded, runTransition } from './run-status.js';
import type { RunCall } from './run-status.js';

/** Returns the run that a request becomes. `needed` is the number of approvals. */
export function runOfRequest(
  request: RequestRow,
  { id, needed, now }: { readonly id: string; readonly needed: number; readonly now: Date },
): RunRow {
  const { stack, kind, by, commit, refresh, approved, pinned, why, pull, pullPage, ref } = request;
  return {
    ...{ id, stack, kind, request: request.id, by, status: 'planning', began: now.toISOString() },
    ...{ why: why === undefined ? [] : [why], approvals: [], needed },
    ...(commit !== undefined && { commit }),
    ...(refresh !== undefined && { refresh }),
    ...(approved !== undefined && { approved }),
    ...(pinned !== undefined && { pinned }),
    ...(pull !== undefined && { pull }),
    ...(pullPage !== undefined && { pullPage }),
    ...(ref !== undefined && { ref }),
  };
}

/** Returns a run after an event, with changed members. Throws BugError if the event cannot happen. */
export function movedRun(run: RunRow, event: RunCall, members: Partial<RunRow>, now: Date): RunRow {
  const status = runTransition(run.status, event);
  return { ...run, ...members, status, ...(hasRunEnded(status) && { ended: now.toISOString() }) };
}
