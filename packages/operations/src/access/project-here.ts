import { checkedStackReference, findProject, loadProject, namedProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import type { StackChoice } from './stack-choice.js';

/** A project, and whether its file is here. */
export interface ProjectHere {
  readonly project: Project;
  readonly here: boolean;
}

/**
 * The project here; where there is none, the one that a stack's full name (`organization/project/stack`) names, of
 * which nothing else is known. Throws CAIRN-PROJECT-MISSING.
 */
export async function projectHere(ports: Ports, { stack }: StackChoice): Promise<ProjectHere> {
  const named = stack === undefined ? undefined : checkedStackReference(stack, ports.env).project;
  if (named === undefined || (await findProject(ports.cwd)) !== undefined)
    return { project: await loadProject(ports.cwd), here: true };
  return { project: namedProject(named, ports.cwd), here: false };
}
