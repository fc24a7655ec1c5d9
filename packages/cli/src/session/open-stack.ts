import { loadProject } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { Backend, StackId } from '@cairn/backends';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { withBackend } from './backend.js';
import { noStack, referredStack } from '@cairn/operations';
import { stackName } from './stack-file.js';

/** A stack on its backend, named by flag, variable or selection. */
export interface OpenStack {
  readonly project: Project;
  readonly backend: Backend;
  /** The backend's address as the user gave it; selections are kept under it. */
  readonly url: string;
  readonly id: StackId;
}

/**
 * Runs something with the stack's backend open. `named`: a reference that counts before flag and selection; either may
 * name a stack of another project. Rejects with CAIRN-STACK-NOT-FOUND when the backend has no such stack.
 */
export async function withStack<T>(
  world: World,
  flags: Flags,
  run: (stack: OpenStack) => Promise<T>,
  named?: string,
): Promise<T> {
  const project = await loadProject(world.cwd);
  return withBackend(world, flags, project, async (backend, url) => {
    const given = named ?? flags.text('stack') ?? (await stackName(world, flags, project));
    const id = referredStack(world, given, project.name);
    if (!(await backend.exists(id))) throw noStack(id, url);
    return run({ project, backend, url, id });
  });
}

/** Showing secrets is loud [CLI-13]. */
export function warnOfSecrets(world: World): void {
  world.stderr.write('warning: secrets are shown in the clear\n');
}
