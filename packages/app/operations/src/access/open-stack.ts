import type { Project } from '@cairn/workspace';
import { stackNotFound } from '@cairn/backends';
import type { Backend, StackId } from '@cairn/backends';
import type { Ports } from '../ports.js';
import { withBackend } from './open-backend.js';
import { projectHere } from './project-here.js';
import { requiredStack } from './stack-choice.js';
import type { StackChoice } from './stack-choice.js';
import { referredStack, stackOn } from './stack-reference.js';

/** A stack on its backend. */
export interface OpenStack {
  readonly ports: Ports;
  /** Choice of the stack and its backend. */
  readonly choice: StackChoice;
  readonly project: Project;
  readonly backend: Backend;
  /** The backend's address as the user gave it; selections are stored under it. */
  readonly url: string;
  readonly id: StackId;
}

/**
 * Runs a function with the stack's backend open. The named stack may belong to another project, whose file need not be
 * here. Rejects with CAIRN-STACK-NOT-FOUND when the backend has no such stack.
 */
export async function withStack<T>(
  ports: Ports,
  choice: StackChoice,
  run: (stack: OpenStack) => Promise<T>,
): Promise<T> {
  const { project } = await projectHere(ports, choice);
  return withBackend(ports, choice, project, async (backend, url) => {
    const chosen =
      choice.stack === undefined
        ? await requiredStack(ports, choice, project)
        : referredStack(ports, choice.stack, project.name);
    const id = stackOn(backend, chosen);
    if (!(await backend.exists(id))) throw stackNotFound(id, url);
    return run({ ports, choice, project, backend, url, id });
  });
}
