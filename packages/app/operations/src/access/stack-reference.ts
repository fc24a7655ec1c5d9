import { ORGANIZATION, fullStackName } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { checkedStackReference, isServiceUrl } from '@cairn/workspace';
import type { Env } from '@cairn/workspace';

/**
 * Returns the stack that a text names [ADDR-5]: `dev`, `organization/dev` or `organization/shop/dev`. Without a project
 * in the text it belongs to the project here. It has an organization if the text has one; see {@link stackOn}. Throws
 * CAIRN-NAME-INVALID.
 */
export function referredStack({ env }: { readonly env: Env }, text: string, here: string): StackId {
  const { organization, project, stack } = checkedStackReference(text, env);
  return { ...(organization === undefined ? {} : { organization }), project: project ?? here, stack };
}

/**
 * Returns the stack as a backend knows it: on a state service in the named organization or the default one, elsewhere
 * without one. Throws CAIRN-USAGE for the organization of a backend without accounts.
 */
export function stackOn({ service, url }: Pick<Backend, 'service' | 'url'>, id: StackId): StackId {
  if (service !== undefined) return { organization: service.organization, ...id };
  refuseOrganization(url, id);
  return { project: id.project, stack: id.stack };
}

/** Throws CAIRN-USAGE for an organization, which only a state service has. */
export function refuseOrganization(url: string, { organization, stack }: StackId): void {
  if (organization === undefined || organization === ORGANIZATION || isServiceUrl(url)) return;
  throw cairnError('CAIRN-USAGE', `there is no organization "${organization}" in this backend`, {
    hint: `Write ${stack}, or ${ORGANIZATION}/<project>/${stack}.`,
  });
}

/** Returns the stacks of a project that are named without an organization. */
export async function stacksOfProject(backend: Backend, project: string): Promise<readonly StackId[]> {
  const organization = backend.service?.organization;
  return (await backend.list(project)).filter((id) => id.organization === organization);
}

/**
 * Returns the stack of the project here that a text names, for commands that work with its files. Throws CAIRN-USAGE
 * when the text names another project.
 */
export function stackHere(user: { readonly env: Env }, text: string, here: string): StackId {
  const id = referredStack(user, text, here);
  if (id.project === here) return id;
  throw cairnError('CAIRN-USAGE', `stack "${text}" belongs to project "${id.project}", not to "${here}"`, {
    hint: `Run the command in the directory of project "${id.project}", or pass its directory with -C.`,
  });
}

/** Returns the name of a stack for a text about another one: in full if project or organization differ. */
export function nameBeside(id: StackId, other: Pick<StackId, 'organization' | 'project'>): string {
  const beside = id.project === other.project && id.organization === other.organization;
  return beside ? id.stack : fullStackName(id);
}
