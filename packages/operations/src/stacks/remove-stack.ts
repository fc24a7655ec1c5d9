import { rm } from 'node:fs/promises';
import { fullStackName } from '@cairn/backends';
import { selectStack, selectedStack, stackFilePath } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import { userOf } from '../access/user.js';

/** What goes with a stack. */
export interface RemoveStackOptions {
  /** Removes it although it has resources, which nobody manages any more then. */
  readonly force?: boolean | undefined;
  readonly backups?: boolean | undefined;
  /** Keeps its configuration file. */
  readonly preserveConfig?: boolean | undefined;
}

/** Removes a stack with its history, its configuration file and its being selected. Throws CAIRN-STACK-NOT-EMPTY. */
export async function removeStack(
  { ports, project, backend, url, id }: OpenStack,
  { force = false, backups = false, preserveConfig = false }: RemoveStackOptions = {},
): Promise<void> {
  await backend.remove(id, { force, backups });
  if (!preserveConfig && id.project === project.name)
    await rm(stackFilePath(project, id.stack), { force: true });
  const user = userOf(ports);
  const selected = await selectedStack(user, project, url, () => true);
  if (selected === fullStackName(id)) await selectStack(user, project, url, undefined);
}
