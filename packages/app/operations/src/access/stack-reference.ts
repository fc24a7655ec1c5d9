import { ORGANIZATION, fullStackName } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { checkedStackReference } from '@cairn/workspace';
import type { Env } from '@cairn/workspace';

/**
 * Returns the stack that a text names [ADDR-5]: `dev`, `organization/dev` or `organization/shop/dev`. Without a project
 * in the text it belongs to the project here. Throws CAIRN-NAME-INVALID, and CAIRN-USAGE for another organization,
 * since backends without accounts have none.
 */
export function referredStack({ env }: { readonly env: Env }, text: string, here: string): StackId {
  const { organization, project, stack } = checkedStackReference(text, env);
  if (organization !== undefined && organization !== ORGANIZATION) {
    throw cairnError('CAIRN-USAGE', `there is no organization "${organization}" in this backend`, {
      hint: `Write ${stack}, or ${ORGANIZATION}/<project>/${stack}.`,
    });
  }
  return { project: project ?? here, stack };
}

/**
 * Returns the name of a stack of the project here, for commands that work with its files. Throws CAIRN-USAGE when the
 * text names another project.
 */
export function stackHere(user: { readonly env: Env }, text: string, here: string): string {
  const { project, stack } = referredStack(user, text, here);
  if (project === here) return stack;
  throw cairnError('CAIRN-USAGE', `stack "${text}" belongs to project "${project}", not to "${here}"`, {
    hint: `Run the command in the directory of project "${project}", or pass its directory with -C.`,
  });
}

/** Returns the name of a stack for a text about another one, with its project if the projects differ. */
export function nameBeside(id: StackId, other: Pick<StackId, 'project'>): string {
  return id.project === other.project ? id.stack : fullStackName(id);
}
