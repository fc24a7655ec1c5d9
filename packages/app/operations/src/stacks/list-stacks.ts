import { fullStackName, organizationOf } from '@cairn/backends';
import type { Backend, StackId, StoredStackSummary } from '@cairn/backends';
import { findProject, loadProject, storeSelectedStack } from '@cairn/workspace';
import { backendChoice, withBackend } from '../access/open-backend.js';
import type { Reach } from '../access/open-backend.js';
import { requiredStack, storedChoice } from '../access/stack-choice.js';
import type { StackChoice } from '../access/stack-choice.js';
import { nameBeside, stackOn, stacksOfProject } from '../access/stack-reference.js';
import { userOf } from '../access/user.js';
import type { Ports } from '../ports.js';

/** A stack in a listing. Values from its checkpoint are missing if that cannot be read. */
export interface ListedStack extends StackId, Partial<StoredStackSummary> {
  readonly project: string;
  readonly stack: string;
  /** Name from here: with its project if that is another one. */
  readonly name: string;
  /** True for the selected stack. */
  readonly current: boolean;
}

/** Filter of listed stacks. */
interface StackFilter {
  /** Lists the stacks of every project, and needs no project here. Defaults to the project here. */
  readonly all?: boolean | undefined;
  /** Lists the stacks of this project, and needs no project here. */
  readonly project?: string | undefined;
  /** Lists only stacks with this tag: a name, or `name=value`. */
  readonly tag?: string | undefined;
  /** Lists only stacks of this organization. A backend without accounts has only one. */
  readonly organization?: string | undefined;
}

/** Lists stacks of a backend. */
export async function listStacks(
  ports: Ports,
  reach: Reach,
  filter: StackFilter = {},
): Promise<readonly ListedStack[]> {
  const anywhere = filter.all === true || filter.project !== undefined;
  const located = await findProject(ports.cwd);
  const project = anywhere && located === undefined ? undefined : await loadProject(ports.cwd);
  return withBackend(ports, reach, project, async (backend) => {
    const chosen = project && (await storedChoice(ports, reach, project));
    const selected = chosen && fullStackName(stackOn(backend, chosen));
    const of = filter.project ?? (filter.all === true ? undefined : project?.name);
    const organization = backend.service?.organization;
    const found = (await backend.summaries(of)).filter(
      (stack) => filter.organization === undefined || organizationOf(stack) === filter.organization,
    );
    const stacks = filter.tag === undefined ? found : await tagged(backend, found, filter.tag);
    return stacks.map((stack) => {
      const isHere = stack.project === project?.name || stack.project === '';
      return {
        ...stack,
        name: nameBeside(stack, { ...(organization && { organization }), project: project?.name ?? '' }),
        current: isHere && fullStackName({ ...stack, project: project?.name ?? '' }) === selected,
      };
    });
  });
}

/** Returns the stacks with a tag: a name, or `name=value`. */
async function tagged<T extends StackId>(
  backend: Backend,
  stacks: readonly T[],
  tag: string,
): Promise<readonly T[]> {
  const [name = '', ...value] = tag.split('=');
  const has = await Promise.all(
    stacks.map(async (stack) => {
      const tags = await backend.tags(stack);
      return Object.hasOwn(tags, name) && (value.length === 0 || tags[name] === value.join('='));
    }),
  );
  return stacks.filter((_stack, index) => has[index]);
}

/** Unselects the stack of the project here. Resolves with true if one was selected. */
export async function unselectStack(ports: Ports, reach: Reach): Promise<boolean> {
  const project = await loadProject(ports.cwd);
  const { url } = await backendChoice(ports, reach, project);
  const selected = await storedChoice(ports, reach, project).catch(() => null);
  await storeSelectedStack(userOf(ports), project, url, undefined);
  return selected !== undefined;
}

/** Returns the names of the stacks of the project here. */
export async function stackNames(ports: Ports, reach: Reach): Promise<readonly string[]> {
  const project = await loadProject(ports.cwd);
  return withBackend(ports, reach, project, async (backend) =>
    (await stacksOfProject(backend, project.name)).map(({ stack }) => stack),
  );
}

/** Selects a stack of the project here. Resolves with false if there is no such stack. */
export async function selectStack(ports: Ports, choice: StackChoice): Promise<boolean> {
  const project = await loadProject(ports.cwd);
  return withBackend(ports, choice, project, async (backend, url) => {
    const id = stackOn(backend, await requiredStack(ports, choice, project));
    if (!(await backend.exists(id))) return false;
    await storeSelectedStack(userOf(ports), project, url, fullStackName(id));
    return true;
  });
}
