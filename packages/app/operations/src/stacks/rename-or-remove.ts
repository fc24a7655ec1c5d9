import { readFile, rm, writeFile } from 'node:fs/promises';
import { checkStackName } from '@cairn/addresses';
import { fullStackName } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import { storeSelectedStack, selectedStack, stackFilePath } from '@cairn/workspace';
import type { Project } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import { referredStack, stackOn } from '../access/stack-reference.js';
import { userOf } from '../access/user.js';
import { tell } from '../ports.js';
import { forgottenSteps, unresolvedSteps } from './forgotten-steps.js';

/**
 * Renames a stack of the project here, and moves it to another project if the name has one. History, backups, tags,
 * changes, configuration file and selection follow. Throws CAIRN-USAGE for a stack of another project and for its
 * present name, and CAIRN-STACK-EXISTS.
 */
export async function renameStack(
  { ports, project, backend, url, id }: OpenStack,
  reference: string,
): Promise<StackId> {
  const renamed = stackOn(backend, { ...id, ...referredStack(ports, reference, project.name) });
  checkStackName(renamed.stack);
  if (id.project !== project.name) {
    throw cairnError(
      'CAIRN-USAGE',
      `stack "${id.stack}" belongs to project "${id.project}", not to "${project.name}"`,
      {
        hint: 'Run the command in the directory of its project, whose configuration file is renamed too.',
      },
    );
  }
  if (fullStackName(renamed) === fullStackName(id))
    throw cairnError('CAIRN-USAGE', `the stack is already named "${id.stack}"`);
  const file = renamed.stack === id.stack ? undefined : await copyConfig(project, id.stack, renamed.stack);
  tell(ports, await backend.rename(id, renamed));
  if (file !== undefined) await rm(file, { force: true });
  const user = userOf(ports);
  const selected = await selectedStack(user, project, url, () => true);
  if (selected === fullStackName(id) || selected === id.stack)
    await storeSelectedStack(user, { ...project, name: renamed.project }, url, fullStackName(renamed));
  return renamed;
}

/**
 * Copies the configuration to the new name before the stack is renamed; the old file is deleted afterwards. Resolves
 * with the old file, or `undefined` if there is none. Throws CAIRN-STACK-EXISTS when another file has the name.
 */
async function copyConfig(project: Project, from: string, to: string): Promise<string | undefined> {
  const [old, target] = [stackFilePath(project, from), stackFilePath(project, to)];
  const text = await textOf(old);
  if (text === undefined) return undefined;
  const present = await textOf(target);
  if (present !== undefined && present !== text) {
    throw cairnError('CAIRN-STACK-EXISTS', `the configuration file of the new name already exists`, {
      causes: [target],
      hint: 'Move that file away, or choose another name.',
    });
  }
  if (present === undefined) await writeFile(target, text, { flag: 'wx' });
  return old;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Options to remove a stack. */
interface RemoveStackOptions {
  /** Removes it although it has resources, which are no longer managed then. */
  readonly force?: boolean | undefined;
  readonly backups?: boolean | undefined;
  /** Keeps its configuration file. */
  readonly preserveConfig?: boolean | undefined;
}

/** Removes a stack with its history, its configuration file and its selection. Throws CAIRN-STACK-NOT-EMPTY. */
export async function removeStack(
  { ports, project, backend, url, id }: OpenStack,
  { force = false, backups = false, preserveConfig = false }: RemoveStackOptions = {},
): Promise<void> {
  const inDoubt = force ? await unresolvedSteps({ backend, id }) : [];
  await backend.remove(id, { force, backups });
  tell(ports, forgottenSteps(inDoubt));
  if (!preserveConfig && id.project === project.name)
    await rm(stackFilePath(project, id.stack), { force: true });
  const user = userOf(ports);
  const selected = await selectedStack(user, project, url, () => true);
  if (selected === fullStackName(id)) await storeSelectedStack(user, project, url, undefined);
}
