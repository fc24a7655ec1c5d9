/** What can begin before the code of an operation is loaded; loads neither an engine nor a backend. */
import path from 'node:path';
import {
  checkedStackReference,
  chooseBackend,
  isPassphrase,
  loadProject,
  loadStackFile,
  managerOfFile,
  selectedStack,
} from '@cairn/workspace';
import type { Env, Project } from '@cairn/workspace';
import type { StackChoice } from './access/stack-choice.js';
import { passphraseFromEnvironment, unlockSources, userOf } from './access/user.js';

/** The process in which an operation is going to run. */
export interface EarlyPorts {
  readonly env: Env;
  readonly cwd: string;
}

/**
 * Starts deriving the key of the stack's secrets, if the passphrase need not be asked for. Resolves once the derivation
 * runs in the thread pool, where the operation finds its result. Writes nothing and never fails: the operation itself
 * meets whatever is wrong, and reports it.
 */
export async function deriveEarly(ports: EarlyPorts, choice: StackChoice): Promise<void> {
  try {
    if (!passphraseFromEnvironment(ports)) return;
    const project = await loadProject(ports.cwd);
    const stack = await stackOf(ports, choice, project);
    if (stack === undefined) return;
    const at = choice.configFile === undefined ? undefined : path.resolve(ports.cwd, choice.configFile);
    const { settings } = await loadStackFile(project, stack, at);
    if (!isPassphrase(settings.secretsProvider ?? '')) return;
    const manager = await managerOfFile(settings, unlockSources({ ...ports, interaction: {} }));
    manager?.crypter().catch(() => undefined);
  } catch {
    // The operation reads the same files.
  }
}

/** Name of the stack that the operation is going to choose, if it is one of the project here. */
async function stackOf(
  ports: EarlyPorts,
  choice: StackChoice,
  project: Project,
): Promise<string | undefined> {
  const user = userOf(ports);
  const { url } = await chooseBackend(user, project, choice.backendUrl);
  const text = choice.stack ?? (await selectedStack(user, project, url, (older) => !older.includes('/')));
  if (text === undefined) return undefined;
  const named = checkedStackReference(text, ports.env);
  return (named.project ?? project.name) === project.name ? named.stack : undefined;
}
