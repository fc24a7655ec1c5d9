import { fullStackName } from '@cairn/backends';
import type { StackId, StackSummary } from '@cairn/backends';
import { findProject, loadProject, selectStack as keepSelection } from '@cairn/workspace';
import { withBackend } from '../access/open-backend.js';
import type { Reach } from '../access/open-backend.js';
import { selectedStackName, stackName } from '../access/stack-choice.js';
import type { StackChoice } from '../access/stack-choice.js';
import { nameBeside } from '../access/stack-reference.js';
import { userOf } from '../access/user.js';
import type { Ports } from '../ports.js';

/** A stack in a listing; what its checkpoint says is missing where that cannot be read. */
export interface ListedStack extends StackId, Partial<StackSummary> {
  readonly project: string;
  readonly stack: string;
  /** As it is named from here: with its project when that is another one. */
  readonly name: string;
  /** It is the one that is selected. */
  readonly current: boolean;
}

/** Stacks of the project here; `all`: of every project, for which none has to be here. */
export async function listStacks(
  ports: Ports,
  reach: Reach,
  { all = false }: { readonly all?: boolean } = {},
): Promise<readonly ListedStack[]> {
  const located = await findProject(ports.cwd);
  const project = all && located === undefined ? undefined : await loadProject(ports.cwd);
  return withBackend(ports, reach, project, async (backend) => {
    const selected = project && (await selectedStackName(ports, reach, project));
    const stacks = await backend.summaries(all ? undefined : project?.name);
    return stacks.map((stack) => {
      const isHere = stack.project === project?.name || stack.project === '';
      return {
        ...stack,
        name: nameBeside(stack, { project: project?.name ?? '' }),
        current: isHere && stack.stack === selected,
      };
    });
  });
}

/** Names of the stacks of the project here. */
export async function stackNames(ports: Ports, reach: Reach): Promise<readonly string[]> {
  const project = await loadProject(ports.cwd);
  return withBackend(ports, reach, project, async (backend) =>
    (await backend.list(project.name)).map(({ stack }) => stack),
  );
}

/** Makes a stack of the project here the selected one. Resolves with whether there is such a stack. */
export async function selectStack(ports: Ports, choice: StackChoice): Promise<boolean> {
  const project = await loadProject(ports.cwd);
  return withBackend(ports, choice, project, async (backend, url) => {
    const id = { project: project.name, stack: await stackName(ports, choice, project) };
    if (!(await backend.exists(id))) return false;
    await keepSelection(userOf(ports), project, url, fullStackName(id));
    return true;
  });
}
