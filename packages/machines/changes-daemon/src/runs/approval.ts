import type { ApprovalRow, RunRow } from './rows.js';
import { movedRun } from './new-run.js';

/**
 * Returns why an approval of a run is not valid. It must name the plan, the state and the commit that the run has
 * [AGT-4].
 */
export function approvalProblem(
  run: RunRow,
  approval: Pick<ApprovalRow, 'by' | 'digest' | 'base' | 'commit'>,
  others: boolean,
): string | undefined {
  if (run.status !== 'waiting') return `its status is ${run.status}`;
  if (approval.digest !== run.digest) return 'it has another plan by now';
  if (approval.base !== run.base) return 'the state of the stack has moved';
  if (approval.commit !== run.commit) return 'the commit has moved';
  if (others && approval.by === run.by) return 'another person than the one who asked has to approve';
  if (run.approvals.some(({ by }) => by === approval.by)) return `${approval.by} has approved it already`;
  return undefined;
}

/** Returns a run with one more approval, which is valid. The last one that it needs makes it ready. */
export function approvedRun(run: RunRow, approval: ApprovalRow, now: Date): RunRow {
  const approvals = [...run.approvals, approval];
  if (approvals.length < run.needed) return { ...run, approvals };
  const why = [`approved by ${approvals.map(({ by }) => by).join(', ')}`];
  return movedRun(run, 'approve', { approvals, why }, now);
}

/** Returns a run that has not begun to be applied, after a person has denied it. */
export function deniedRun(run: RunRow, by: string, reason: string | undefined, now: Date): RunRow {
  return movedRun(run, 'deny', { why: [`denied by ${by}${reason === undefined ? '' : `: ${reason}`}`] }, now);
}
