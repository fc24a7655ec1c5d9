import type { RunRow } from '@cairn/changes-daemon';
import { numberOfDeployment } from '@cairn/http-api';
import type { OperationState } from '../stack-work.js';

/** One row of `cairn changes --json`. */
interface ChangeJson {
  readonly id: string;
  readonly kind?: string;
  readonly summary: string;
  readonly status: string;
  readonly ready: boolean;
  readonly running: boolean;
  readonly result?: string;
  readonly taskCount: number;
  readonly continues?: { readonly change: string };
}

/** Returns the message of the operation of a run, by which a later agent finds it. A run of a service has a number. */
export function runMessage({ id, by, began }: RunRow): string {
  return `agent run ${numberOfDeployment(id) ?? id} of ${by} at ${began}`;
}

/**
 * Returns how the operation of a run ended, from the list of the stack's changes. Its lineage begins with the change
 * that has the message of the run; the last change of the lineage decides.
 */
export function operationState(listed: string, run: RunRow): OperationState {
  const changes = JSON.parse(listed) as readonly ChangeJson[];
  const lineage = new Set<string>();
  let last: ChangeJson | undefined;
  for (const change of changes) {
    const continues = change.continues !== undefined && lineage.has(change.continues.change);
    if (!continues && !change.summary.endsWith(`: ${runMessage(run)}`)) continue;
    lineage.add(change.id);
    last = change;
  }
  return last === undefined ? 'none' : stateOf(last);
}

function stateOf({ kind, status, ready, running, result, taskCount }: ChangeJson): OperationState {
  if (running) return 'running';
  if (!ready) return status === 'Wait' ? 'asks' : 'unfinished';
  if (result === 'succeeded') return kind === 'rollback' ? 'rolled-back' : 'succeeded';
  // A change that died or was interrupted before its first step is the same as none.
  return taskCount === 0 ? 'none' : 'failed';
}
