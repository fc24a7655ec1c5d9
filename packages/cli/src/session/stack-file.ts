import path from 'node:path';
import { cairnError } from '@cairn/diagnostics';
import type { Crypter } from '@cairn/crypters';
import {
  chooseSecretsManager,
  loadProject,
  loadStackFile,
  saveStackFile,
  selectedStack,
} from '@cairn/workspace';
import type { Project, SecretsChoiceSources, StackFile } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { backendChoice, withBackend } from './backend.js';
import { noStack, stackHere } from '@cairn/operations';
import { choiceSources } from './secrets.js';
import { unlockSources, userOf } from './user.js';

/** A stack as its configuration file knows it. */
export interface OpenStackFile {
  readonly project: Project;
  /** Bare name of the stack. */
  readonly stack: string;
  readonly file: StackFile;
  /** Unlocks the stack's secrets; a stack without a secrets manager gets one, which is saved at once. */
  readonly secrets: () => Promise<{ readonly file: StackFile; readonly crypter: Crypter }>;
}

/**
 * The project here, and the configuration file of the stack that is named or selected. Rejects with
 * CAIRN-STACK-NOT-FOUND when the backend has no such stack, so that a misspelt name makes no file.
 */
export async function openStackFile(world: World, flags: Flags): Promise<OpenStackFile> {
  const project = await loadProject(world.cwd);
  const stack = await stackName(world, flags, project);
  return openStackFileOf(world, flags, project, stack, configFile(world, flags));
}

/** Where `--config-file` says that the configuration of the stack is. */
export function configFile(world: World, flags: Flags): string | undefined {
  const given = flags.has('config-file') ? flags.text('config-file') : undefined;
  return given === undefined ? undefined : path.resolve(world.cwd, given);
}

/** The configuration file of a stack of the project; `file`: where it is, when not at its usual place. */
export async function openStackFileOf(
  world: World,
  flags: Flags,
  project: Project,
  stack: string,
  place?: string,
): Promise<OpenStackFile> {
  await withBackend(world, flags, project, async (backend, url) => {
    const id = { project: project.name, stack };
    if (!(await backend.exists(id))) throw noStack(id, url);
  });
  const file = await loadStackFile(project, stack, place);
  for (const warning of file.warnings) world.stderr.write(`warning: ${warning.summary}\n`);
  const sources = {
    ...unlockSources(world),
    stateManager: () =>
      withBackend(world, flags, project, async (backend) =>
        choiceSources(world, backend, { project: project.name, stack }).stateManager?.(),
      ),
  };
  return { project, stack, file, secrets: () => unlock(file, sources) };
}

async function unlock(
  file: StackFile,
  sources: SecretsChoiceSources,
): Promise<{ file: StackFile; crypter: Crypter }> {
  const choice = await chooseSecretsManager(file.settings, sources);
  const saved = choice.changed ? await saveStackFile(file, { secrets: choice.settings }) : file;
  return { file: saved, crypter: await choice.manager.crypter() };
}

/** Name of the stack that `--stack`, `CAIRN_STACK` or the selection gives; undefined when none does. */
export async function chosenStackName(
  world: World,
  flags: Flags,
  project: Project,
): Promise<string | undefined> {
  const given = flags.text('stack');
  return given === undefined
    ? selectedStackName(world, flags, project)
    : stackHere(world, given, project.name);
}

/** Name of the stack that `CAIRN_STACK` or the selection gives; undefined when none does. */
export async function selectedStackName(
  world: World,
  flags: Flags,
  project: Project,
): Promise<string | undefined> {
  const { url } = await backendChoice(world, flags, project);
  const selected = await selectedStack(userOf(world), project, url, (text) => !text.includes('/'));
  return selected === undefined ? undefined : stackHere(world, selected, project.name);
}

/** As {@link chosenStackName}, with the error for none. */
export async function stackName(world: World, flags: Flags, project: Project): Promise<string> {
  const name = await chosenStackName(world, flags, project);
  if (name !== undefined) return name;
  throw cairnError('CAIRN-STACK-NOT-FOUND', 'no stack is selected', {
    hint: 'pass --stack <name>, or choose one with `cairn stack select`; `cairn stack init <name>` creates one',
  });
}
