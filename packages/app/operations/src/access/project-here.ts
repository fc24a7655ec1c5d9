import { isUrn, urnParts } from '@cairn/addresses';
import { checkedStackReference, findProject, loadProject, namedProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { backendChoice, openChosenBackend } from './open-backend.js';
import type { StackChoice } from './stack-choice.js';

/** A project, and whether its file is here. */
interface ProjectHere {
  readonly project: Project;
  readonly here: boolean;
}

/**
 * Returns the project here. Without one, returns the project of a stack that is named in full
 * (`organization/project/stack`) or is in a store of the layout before projects. Only its name is known then. Throws
 * CAIRN-PROJECT-MISSING.
 */
export async function projectHere(ports: Ports, choice: StackChoice): Promise<ProjectHere> {
  if (choice.stack !== undefined && (await findProject(ports.cwd)) === undefined) {
    const { project, stack } = checkedStackReference(choice.stack, ports.env);
    const named = project ?? (await projectInOldStore(ports, choice, stack));
    if (named !== undefined) return { project: namedProject(named, ports.cwd), here: false };
  }
  return { project: await loadProject(ports.cwd), here: true };
}

/**
 * Returns the project of a stack in a store whose stacks have none in their names [STORE-4]. The name comes from its
 * URNs; while it has no resources, it is the name of the stack. Returns `undefined` for every other store.
 */
async function projectInOldStore(
  ports: Ports,
  choice: StackChoice,
  stack: string,
): Promise<string | undefined> {
  const backend = await openChosenBackend(ports, choice, await backendChoice(ports, choice));
  try {
    const id = { project: '', stack };
    if (backend.bucket?.layout !== 'legacy' || !(await backend.exists(id))) return undefined;
    const { deployment } = await backend.read(id, { integrity: 'skip' });
    const urn = deployment?.resources[0]?.urn;
    return urn !== undefined && isUrn(urn) ? urnParts(urn).project : stack;
  } finally {
    await backend.close();
  }
}
