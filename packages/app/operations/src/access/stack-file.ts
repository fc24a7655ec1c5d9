import type { StackId } from '@cairn/backends';
import type { Crypter } from '@cairn/crypters';
import { chooseSecretsManager, loadProject, loadStackFile, saveStackFile } from '@cairn/workspace';
import type { Project, SecretsChoiceSources, StackFile } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { noStack } from './no-stack.js';
import { withBackend } from './open-backend.js';
import { choiceSources } from './secrets.js';
import { configFileOf, requiredStack } from './stack-choice.js';
import type { StackChoice } from './stack-choice.js';
import { stackOn } from './stack-reference.js';
import { unlockSources } from './user.js';

/** A stack as its configuration file describes it. */
export interface OpenStackFile {
  readonly ports: Ports;
  readonly project: Project;
  /** Bare name of the stack. */
  readonly stack: string;
  readonly file: StackFile;
  /** Unlocks the stack's secrets. A stack without a secrets manager gets one, which is saved at once. */
  readonly secrets: () => Promise<{ readonly file: StackFile; readonly crypter: Crypter }>;
}

/**
 * Opens the project here, and the configuration file of the named or selected stack. Rejects with CAIRN-STACK-NOT-FOUND
 * when the backend has no such stack, so that a misspelt name makes no file.
 */
export async function openStackFile(ports: Ports, choice: StackChoice): Promise<OpenStackFile> {
  const project = await loadProject(ports.cwd);
  return openStackFileOf(ports, choice, project, await requiredStack(ports, choice, project));
}

/** Opens the configuration file of a stack of the project, whichever the choice names. */
export async function openStackFileOf(
  ports: Ports,
  choice: StackChoice,
  project: Project,
  named: StackId,
): Promise<OpenStackFile> {
  const { stack } = named;
  const id = await withBackend(ports, choice, project, async (backend, url) => {
    const there = stackOn(backend, named);
    if (!(await backend.exists(there))) throw noStack(there, url);
    return there;
  });
  const file = await loadStackFile(project, stack, configFileOf(ports, choice));
  for (const warning of [...(project.warnings ?? []), ...file.warnings])
    ports.interaction.notice({ t: 'stack-file', warning });
  const sources = {
    ...unlockSources(ports),
    stateManager: () =>
      withBackend(ports, choice, project, async (backend) =>
        choiceSources(ports, backend, id).stateManager?.(),
      ),
  };
  return { ports, project, stack, file, secrets: () => unlock(file, sources) };
}

async function unlock(
  file: StackFile,
  sources: SecretsChoiceSources,
): Promise<{ file: StackFile; crypter: Crypter }> {
  const choice = await chooseSecretsManager(file.settings, sources);
  const saved = choice.changed ? await saveStackFile(file, () => ({ secrets: choice.settings })) : file;
  return { file: saved, crypter: await choice.manager.crypter() };
}
