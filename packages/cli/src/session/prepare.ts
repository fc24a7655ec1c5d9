import { statSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Backend, StackId } from '@cairn/backends';
import { cachingSecretsManager } from '@cairn/crypters';
import type { Crypter, SecretsManager } from '@cairn/crypters';
import {
  chooseSecretsManager,
  coerceText,
  jsonText,
  loadProject,
  loadStackFile,
  operationConfig,
  parseConfigKey,
  saveStackFile,
  setConfig,
} from '@cairn/workspace';
import type { OperationConfig, Project, StackFile } from '@cairn/workspace';
import type { Json } from '@cairn/state';
import { COMPATIBLE_VERSION } from '@cairn/wire';
import type { ProgramInfo } from '@cairn/wire';
import type { Flags } from '../commands/command-spec.js';
import { confirm } from '../terminal/prompt.js';
import { environmentSecrets, maskedError, noStack, SecretMask } from '@cairn/operations';
import type { World } from '../world.js';
import { createStack } from './create-stack.js';
import { choiceSources } from './secrets.js';
import { chosenStackName, configFile, stackName } from './stack-file.js';
import { passphraseIsAsked } from './user.js';
import { openBackend, backendChoice } from './backend.js';

/** The stack that a first `up` creates when the project has none. */
const FIRST_STACK = 'dev';

/** Everything an operation needs to know before it starts. */
export interface Prepared {
  readonly project: Project;
  readonly backend: Backend;
  /** The backend's address as the user gave it. */
  readonly url: string;
  readonly id: StackId;
  readonly manager: SecretsManager;
  /** Unlocking starts early and in the background; secrets keep their ciphertext for the length of the operation. */
  readonly crypter: Promise<Crypter>;
  /** The same for whole documents: what is secret in them is sealed on its own, their other texts are none. */
  readonly documents: Promise<Crypter>;
  /** What is secret in this operation, to be taken out of what others say. */
  readonly mask: SecretMask;
  readonly config: OperationConfig;
  readonly program: ProgramInfo;
}

/**
 * Finds project, stack, secrets and configuration. An `up` on a project without any stack creates the first one. The
 * caller closes the backend. What it throws shows no secret: neither one of the environment nor one of the
 * configuration that was opened already.
 */
export async function prepare(
  world: World,
  flags: Flags,
  options: { readonly createFirst: boolean },
): Promise<Prepared> {
  const mask = new SecretMask();
  try {
    return await prepared(world, flags, options, mask);
  } catch (error) {
    mask.configured(environmentSecrets(world.env));
    throw maskedError(error, mask.mask);
  }
}

async function prepared(
  world: World,
  flags: Flags,
  options: { readonly createFirst: boolean },
  mask: SecretMask,
): Promise<Prepared> {
  const project = await loadProject(world.cwd);
  checkRequiredVersion(project);
  if (options.createFirst) await createFirstStack(world, flags, project);
  const stack = await stackName(world, flags, project);
  const choice = await backendChoice(world, flags, project);
  const { url } = choice;
  const backend = await openBackend(world, flags, choice, project);
  try {
    const file = await withGivenConfig(
      flags,
      project,
      await loadStackFile(project, stack, configFile(world, flags)),
    );
    for (const warning of file.warnings) world.stderr.write(`warning: ${warning.summary}\n`);
    const id = { project: project.name, stack };
    if (!(await backend.exists(id))) throw noStack(id, url);
    const secrets = await chooseSecretsManager(file.settings, choiceSources(world, backend, id));
    if (secrets.changed) await saveStackFile(file, { secrets: secrets.settings });
    let unlocked: Promise<Crypter> | undefined;
    const unlock = (): Promise<Crypter> => (unlocked ??= secrets.manager.crypter());
    const heard = async (): Promise<Crypter> => mask.hearing(await unlock());
    const crypter = cachingSecretsManager({ ...secrets.manager, crypter: heard }, world.env).crypter();
    // Whoever needs it meets the failure; that nobody has needed it yet is none.
    crypter.catch(() => undefined);
    const documents = crypter.then(unlock);
    documents.catch(() => undefined);
    // A question has the terminal for itself: nothing is shown below it before it is answered.
    if (secrets.manager.type === 'passphrase' && passphraseIsAsked(world)) await crypter;
    const config = await operationConfig(project, stack, file, () => crypter);
    mask.configured(config.program.secretTexts);
    return {
      project,
      backend,
      url,
      id,
      manager: secrets.manager,
      crypter,
      documents,
      mask,
      config,
      program: programInfo(project),
    };
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/**
 * Resolves once the passphrase of the stack has opened its secrets; a key of a service is asked for only when something
 * needs it. Throws CAIRN-PASSPHRASE-WRONG, CAIRN-PASSPHRASE-MISSING.
 */
export async function opened({ manager, crypter }: Pick<Prepared, 'manager' | 'crypter'>): Promise<void> {
  if (manager.type === 'passphrase') await crypter;
}

/**
 * Nothing selected, nothing named and nothing there: the first stack is made, after a question where one can be asked.
 */
async function createFirstStack(world: World, flags: Flags, project: Project): Promise<void> {
  if ((await chosenStackName(world, flags, project)) !== undefined) return;
  const backend = await openBackend(world, flags, await backendChoice(world, flags, project), project);
  const stacks = await backend.list(project.name).finally(() => backend.close());
  if (stacks.length > 0) return;
  if (world.terminal.interactive && !flags.on('yes')) {
    if (!(await confirm(world, `Project ${project.name} has no stack. Create stack ${FIRST_STACK}?`))) return;
  } else if (!flags.on('yes')) {
    return;
  }
  const code = await createStack(world, flags, FIRST_STACK, { select: true });
  if (code === EXIT.ok) world.stderr.write(`Created stack ${FIRST_STACK}\n`);
}

/** `--config key=value`, saved like `config set` does. */
async function withGivenConfig(flags: Flags, project: Project, file: StackFile): Promise<StackFile> {
  let config = file.settings.config;
  for (const given of flags.list('config')) {
    const at = given.indexOf('=');
    if (at <= 0) throw cairnError('CAIRN-USAGE', '--config takes key=value');
    config = setConfig(
      config,
      { key: parseConfigKey(given.slice(0, at), project.name), path: [] },
      coerceText(given.slice(at + 1)),
    );
  }
  return config === file.settings.config ? file : saveStackFile(file, { config });
}

function checkRequiredVersion(project: Project): void {
  const range = project.requiredPulumiVersion;
  if (range === undefined || semver.satisfies(COMPATIBLE_VERSION, range)) return;
  throw cairnError(
    'CAIRN-PROJECT-INVALID',
    `the project asks for version ${range}; this is compatible with ${COMPATIBLE_VERSION}`,
    {
      source: { file: project.location.file },
      hint: 'change requiredPulumiVersion, or use a version that satisfies it',
    },
  );
}

/** Where the program is [PRG-1]. */
export function programInfo(project: Project): ProgramInfo {
  const rootDirectory = project.location.directory;
  const options = project.runtime?.options ?? {};
  if (project.main === undefined)
    return { rootDirectory, programDirectory: rootDirectory, entryPoint: '.', options };
  const main = path.resolve(rootDirectory, project.main);
  if (statSync(main, { throwIfNoEntry: false })?.isDirectory() === true) {
    return { rootDirectory, programDirectory: main, entryPoint: '.', options };
  }
  return { rootDirectory, programDirectory: path.dirname(main), entryPoint: path.basename(main), options };
}

/** Configuration as history keeps it: texts, structures and ciphertexts. */
export function historyConfig(config: OperationConfig): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    [...config.config].map(([key, tree]) => [key, JSON.parse(jsonText(tree)) as Json]),
  );
}
