import { stackNotFound } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import type { Crypter } from '@cairn/crypters';
import {
  chooseSecretsManager,
  loadProject,
  loadStackFile,
  saveStackFile,
  secureTexts,
} from '@cairn/workspace';
import type { Project, SecretsChoiceSources, StackFile } from '@cairn/workspace';
import type { Ports } from '../ports.js';
import { withBackend } from './open-backend.js';
import { choiceSources, fetchedCrypter, newStackSources, secretsSources } from './secrets.js';
import { configFileOf, requiredStack } from './stack-choice.js';
import type { StackChoice } from './stack-choice.js';
import { stackOn } from './stack-reference.js';

/** A stack as its configuration file describes it. */
export interface OpenStackFile {
  readonly ports: Ports;
  readonly project: Project;
  /** Bare name of the stack. */
  readonly stack: string;
  readonly file: StackFile;
  /**
   * Unlocks the stack's secrets, to open those of the file and `more`. A stack without a secrets manager gets one,
   * which is saved at once.
   */
  readonly secrets: (
    more?: Iterable<string>,
  ) => Promise<{ readonly file: StackFile; readonly crypter: Crypter }>;
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
  const { id, usual } = await withBackend(ports, choice, project, async (backend, url) => {
    const there = stackOn(backend, named);
    if (!(await backend.exists(there))) throw stackNotFound(there, url);
    return { id: there, ...newStackSources(ports, backend, there) };
  });
  const file = await loadStackFile(project, stack, configFileOf(ports, choice));
  for (const warning of [...(project.warnings ?? []), ...file.warnings])
    ports.interaction.notice({ t: 'stack-file', warning });
  const sources = {
    ...secretsSources(ports),
    usual,
    stateManager: () =>
      withBackend(ports, choice, project, async (backend) =>
        choiceSources(ports, backend, id).stateManager?.(),
      ),
  };
  return { ports, project, stack, file, secrets: (more = []) => unlock(file, sources, more) };
}

async function unlock(
  file: StackFile,
  sources: SecretsChoiceSources,
  more: Iterable<string>,
): Promise<{ file: StackFile; crypter: Crypter }> {
  const choice = await chooseSecretsManager(file.settings, sources);
  const saved = choice.changed ? await saveStackFile(file, () => ({ secrets: choice.settings })) : file;
  const ciphertexts = [...secureTexts(file.settings.config), ...more];
  return { file: saved, crypter: await fetchedCrypter(choice.manager, ciphertexts) };
}
