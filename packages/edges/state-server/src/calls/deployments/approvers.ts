import type { StackId } from '@cairn/backends';
import type { ApprovalRow } from '@cairn/changes-daemon';
import { ROUTES } from '@cairn/http-api';
import { commentPerson } from '../../domain/deployments/comment-people.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import type { ServicePorts } from '../service-ports.js';
import type { Stacks } from '../stacks.js';
import { storedSettings } from './named-stacks.js';

/** Refuses the processes of a run: they decide about no run, and about no settings of runs [AGT-15]. */
export function needPerson({ token }: ApiCaller): void {
  if (token.run !== undefined)
    throw new Refusal(403, 'A run approves nothing, and changes no settings of runs.');
}

/** Returns true for a user who may approve runs of a stack. */
export function mayApprove(user: ApiCaller, stack: StackId): Promise<boolean> {
  const { needs: role, permission } = ROUTES.approveDeployment;
  return user.may({ role, permission }, stack);
}

/**
 * Returns the approval that an agent passes on from a comment: that of the user as whom its author counts, who must be
 * able to approve at the service [AGT-26].
 */
export async function commentedApproval(
  { store, stacks }: Pick<ServicePorts, 'store'> & { readonly stacks: Stacks },
  stack: StackId,
  member: string,
  caller: ApiCaller,
): Promise<Pick<ApprovalRow, 'by' | 'via'>> {
  const { id } = await stacks.record(stack);
  const found = commentPerson(await storedSettings(store, id), caller.name, member);
  if ('why' in found) throw new Refusal(403, `Comments of ${member} approve nothing: ${found.why}.`);
  if (!(await mayApprove(caller.as(found.person), stack)))
    throw new Refusal(403, `${found.person} may not approve runs of the stack.`);
  return { by: found.person, via: 'comment' };
}
