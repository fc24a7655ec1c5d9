import { approvalProblem, approvedRun } from '@cairn/changes-daemon';
import type { ApprovalRow } from '@cairn/changes-daemon';
import type { ManagerContext } from './context.js';
import { settingsOf } from './context.js';
import type { CommentedApproval } from './pulls.js';

/** Adds an approval to a run, if it is valid. The last one that is needed lets the run continue [AGT-4]. */
export function approveRun(context: ManagerContext, id: string, approval: ApprovalRow): void {
  const { ledger, log } = context;
  const run = ledger.runs.get(id);
  if (run === undefined) return log(`there is no run ${id} to approve`);
  const problem = approvalProblem(run, approval, settingsOf(context, run.stack)?.policy.others ?? false);
  if (problem !== undefined) return log(`run ${id} is not approved by ${approval.by}: ${problem}`);
  const { approvals } = ledger.put(approvedRun(run, approval, context.now()));
  const why = `approved by ${approvals.map(({ by }) => by).join(', ')}`;
  log(`run ${id}: ${why}, ${approvals.length} of ${run.needed}`, { stack: run.stack });
}

/**
 * Adds the approval of a member of a forge. It names what the run has now. Members of one forge have no say in stacks
 * whose pull requests are on another [AGT-11].
 */
export function approveByMember(
  context: ManagerContext,
  { forge, run: id, login, stack }: Omit<CommentedApproval, 'pull'>,
): void {
  const { ledger, log, now } = context;
  const run = ledger.runs.get(id);
  if (run === undefined || settingsOf(context, run.stack)?.pulls?.forge !== forge)
    return log(`run ${id} is not approved by ${login}: it is of no stack of this forge`, { forge });
  if (stack !== undefined && stack !== run.stack)
    return log(`run ${id} is not approved by ${login}: it is of ${run.stack}`, { forge });
  const { digest = '', base = '', commit } = run;
  const named = { digest, base, ...(commit !== undefined && { commit }) };
  const by = { by: `${forge}:${login}`, via: 'comment' } as const;
  approveRun(context, id, { ...by, at: now().toISOString(), ...named });
}
