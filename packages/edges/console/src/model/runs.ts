import type { DeploymentAnswer } from '@cairn/http-api';
import type { ShownRun } from '@cairn/http-api/console';

/** Tones of statuses of runs. Every other status is one of work in progress. */
const TONES: Readonly<Record<string, string>> = {
  ...{ succeeded: 'create', superseded: 'same', skipped: 'same' },
  ...{ waiting: 'doubt', held: 'doubt', lost: 'doubt' },
  ...{ failed: 'failed', 'rolled-back': 'failed', refused: 'failed', denied: 'failed', expired: 'failed' },
};

/** Returns the tone of the status of a run. */
export function runTone(status: string): string {
  return Object.hasOwn(TONES, status) ? (TONES[status] as string) : 'update';
}

/** Returns true for a run that nothing more will happen to. */
export function isRunOver(deployment: Pick<DeploymentAnswer, 'status'>): boolean {
  return deployment.status !== 'not-started' && deployment.status !== 'running';
}

/** Returns true for a run that a person can still deny: it waits, or is ready and not applied yet [AGT-1]. */
export function mayDeny({ status }: Pick<ShownRun, 'status'>): boolean {
  return status === 'waiting' || status === 'ready';
}

/**
 * Returns the body of the call that approves a run: the plan, the state and the commit that the page shows. The service
 * refuses it when one of them has moved. Undefined if the run has no plan yet.
 */
export function approvalOf(run: Pick<ShownRun, 'digest' | 'base' | 'commit'>): object | undefined {
  const { digest, base, commit } = run;
  return digest === undefined || base === undefined
    ? undefined
    : { digest, base, ...(commit !== undefined && { commit }) };
}
