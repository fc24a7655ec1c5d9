import { ORGANIZATION } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { checkedStackReference } from '@cairn/workspace';
import type { World } from '../world.js';

/**
 * The stack that a text names (state.md 5.8): `dev`, `organization/dev` or `organization/shop/dev`. Without a project it is one of the project
 * here. Throws CAIRN-NAME-INVALID, and CAIRN-USAGE for another organization, which backends without accounts do not have.
 */
export function referredStack({ env }: Pick<World, 'env'>, text: string, here: string): StackId {
  const { organization, project, stack } = checkedStackReference(text, env);
  if (organization !== undefined && organization !== ORGANIZATION) {
    throw cairnError('CAIRN-USAGE', `there is no organization "${organization}" in this backend`, {
      hint: `write ${stack}, or ${ORGANIZATION}/<project>/${stack}`,
    });
  }
  return { project: project ?? here, stack };
}

/** The name of a stack of the project here, for commands that work with its files. Throws CAIRN-USAGE when the text names another project. */
export function stackHere(world: Pick<World, 'env'>, text: string, here: string): string {
  const { project, stack } = referredStack(world, text, here);
  if (project === here) return stack;
  throw cairnError(
    'CAIRN-USAGE',
    `stack "${text}" is one of project "${project}", and this is project "${here}"`,
    {
      hint: `run the command in the directory of project "${project}", or pass its directory with -C`,
    },
  );
}
