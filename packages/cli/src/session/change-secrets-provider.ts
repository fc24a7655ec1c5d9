import type { Backend, StackId } from '@cairn/backends';
import { openSecretsManager, overrideUrl, sameManager } from '@cairn/crypters';
import type { Crypter, SecretsManager, UnlockSources } from '@cairn/crypters';
import {
  BugError,
  CairnError,
  EXIT,
  cairnError,
  errorDiagnostic,
  isCairnError,
  messageOf,
} from '@cairn/diagnostics';
import { emptyDeployment, resealedDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import {
  checkSecretsProvider,
  isPassphrase,
  loadStackFile,
  managerOfFile,
  newSecretsChoice,
  recryptConfig,
  saveStackFile,
  hasSecure,
  settingsOf,
} from '@cairn/workspace';
import type { SecretsSettings, StackFile } from '@cairn/workspace';
import type { Flags } from '../commands/command-spec.js';
import type { World } from '../world.js';
import { newPassphrase } from './new-passphrase.js';
import { withStack } from './open-stack.js';
import { tell } from './tell.js';
import { hasSecrets, managerOf, withMade } from './secrets.js';
import { configFile } from './stack-file.js';
import { unlockSources } from './user.js';

/**
 * What protects a stack now. State and file name the same manager unless somebody altered one of them, or was
 * interrupted.
 */
interface Present {
  readonly file: StackFile;
  readonly ofFile: SecretsManager | undefined;
  readonly deployment: SerializedDeployment;
  readonly ofState: SecretsManager | undefined;
}

/**
 * `stack change-secrets-provider`: puts the secrets of a stack under another manager, or under a new key of the same.
 * The state is sealed anew first, as a change of its own, and names its manager itself; the stack file follows in one
 * piece. Who is interrupted between the two runs the command again: a state that is where it was to go is left there,
 * and the file is brought into step. Resolves with the exit code.
 */
export function changeSecretsProvider(world: World, flags: Flags, provider: string): Promise<number> {
  checkSecretsProvider(provider);
  return withStack(world, flags, async ({ project, backend, id }) => {
    const file = await loadStackFile(project, id.stack, configFile(world, flags));
    const { deployment = emptyDeployment } = await backend.read(id, { integrity: 'skip' });
    const present: Present = {
      file,
      ofFile: await managerOfFile(file.settings, unlockSources(world)),
      deployment,
      ofState: managerOf(world, deployment),
    };
    const next = await nextManager(world, provider, present);
    const settings = settingsOf(next);
    if (settings === undefined) throw new BugError(`no stack file can name a manager of type ${next.type}`);
    const crypter = await next.crypter();
    const config = recryptConfig(file.settings.config, await crypterOfFile(present), crypter);
    await withMade(next, () => sealState(world, backend, id, present, next));
    await saveFile(file, { secrets: settings, config });
    world.stderr.write(`${outcome(id, provider, present, next)}\n`);
    return EXIT.ok;
  });
}

/** The manager to go to: a new one, or the state's when an interrupted run has brought it there already. */
async function nextManager(world: World, provider: string, present: Present): Promise<SecretsManager> {
  const sources = isPassphrase(provider)
    ? await passphraseSources(world, isRotation(present))
    : unlockSources(world);
  const { ofState, ofFile } = present;
  const outOfStep = ofState !== undefined && (ofFile === undefined || !sameManager(ofState, ofFile));
  if (outOfStep && (await isThere(ofState, provider, sources))) return reopened(ofState, sources);
  const { settings } = present.file;
  const reach = provider === settings.secretsProvider ? overrideUrl(world.env) : undefined;
  return (await newSecretsChoice(provider, sources, reach)).manager;
}

/** Whether a passphrase takes the place of a passphrase. */
function isRotation({ file: { settings }, ofFile, ofState }: Present): boolean {
  return isPassphrase(settings.secretsProvider ?? '') && (ofFile ?? ofState)?.type === 'passphrase';
}

/**
 * The variables and the file in the home give the present passphrase, so a rotation does not take the new one from
 * them.
 */
async function passphraseSources(world: World, rotation: boolean): Promise<UnlockSources> {
  const passphrase = await newPassphrase(world, rotation);
  return passphrase === undefined
    ? unlockSources(world)
    : { env: { ...world.env, CAIRN_CONFIG_PASSPHRASE: passphrase } };
}

async function isThere(manager: SecretsManager, provider: string, sources: UnlockSources): Promise<boolean> {
  const settings = settingsOf(manager);
  if (settings === undefined) return false;
  if (!isPassphrase(provider)) return settings.secretsProvider === provider;
  if (manager.type !== 'passphrase') return false;
  return opens(settings, sources);
}

/** Whether the passphrase is the one of these settings. */
async function opens(settings: SecretsSettings, sources: UnlockSources): Promise<boolean> {
  try {
    await (await managerOfFile(settings, sources))?.crypter();
    return true;
  } catch (error) {
    if (isCairnError(error) && error.diagnostics[0]?.code === 'CAIRN-PASSPHRASE-WRONG') return false;
    throw error;
  }
}

function reopened({ type, state }: SecretsManager, sources: UnlockSources): SecretsManager {
  return openSecretsManager(type, state, sources);
}

/** Opens the secrets of the stack file; a file without any needs no key. */
async function crypterOfFile({ file, ofFile }: Present): Promise<Crypter> {
  const refuse = (): never => {
    throw cairnError('CAIRN-SECRETS-MALFORMED', `${file.path} has secrets and names no secrets manager`, {
      hint: 'Restore "encryptionsalt", or "secretsprovider" and "encryptedkey", from a copy of the file.',
    });
  };
  if (![...file.settings.config.values()].some(hasSecure)) return { encrypt: refuse, decrypt: refuse };
  return ofFile === undefined ? refuse() : ofFile.crypter();
}

/** Seals the state with the next manager, unless it is there. What others did meanwhile is part of it. */
async function sealState(
  world: World,
  backend: Backend,
  id: StackId,
  { deployment, ofState }: Present,
  next: SecretsManager,
): Promise<void> {
  if (ofState !== undefined && sameManager(ofState, next)) return;
  const to = await next.crypter();
  const source = `the state of stack ${id.stack}`;
  const secretsProvider = { type: next.type, state: next.state };
  const edit: Parameters<Backend['edit']>[1] = async (stored, view) => {
    const manager = managerOf(world, stored);
    if (
      manager === undefined ? ofState !== undefined : ofState === undefined || !sameManager(manager, ofState)
    )
      throw cairnError(
        'CAIRN-STORE-CONFLICT',
        `the secrets manager of stack ${id.stack} was changed meanwhile`,
        {
          hint: 'Look what it is now, then run the command again.',
        },
      );
    if ((await view.inDoubt()).length > 0) throw inDoubt(id);
    const from = manager === undefined || !hasSecrets(stored) ? to : await manager.crypter();
    const edited = resealedDeployment(stored, { from, to, secretsProvider, source });
    const superseded = view.supersedes(edited);
    if (superseded !== undefined) tell(world, [superseded]);
    return edited;
  };
  if (hasSecrets(deployment)) await ofState?.crypter();
  tell(world, await backend.edit(id, edit, 'stack change-secrets-provider', { integrity: 'skip' }));
}

/** The records of a step in doubt are sealed with the present manager, and who finds out about it must read them. */
function inDoubt(id: StackId): CairnError {
  return cairnError(
    'CAIRN-UNFINISHED',
    `cannot change the secrets manager of stack ${id.stack}: a step is in doubt`,
    {
      hint: '`cairn resume` finds out about it; `cairn change` shows it.',
    },
  );
}

/** The state is where it was to go: an error says that only the file is behind. */
async function saveFile(file: StackFile, changes: Parameters<typeof saveStackFile>[1]): Promise<void> {
  try {
    await saveStackFile(file, changes);
  } catch (error) {
    const hint =
      'The state has the new secrets manager. Run the same command again when the file can be written.';
    if (isCairnError(error))
      throw new CairnError(
        error.diagnostics.map((found) => ({ ...found, hint })),
        { cause: error },
      );
    throw new CairnError(
      [
        errorDiagnostic('CAIRN-CONFIG-INVALID', `cannot write ${file.path}`, {
          causes: [messageOf(error)],
          hint,
        }),
      ],
      { cause: error },
    );
  }
}

function outcome(id: StackId, provider: string, present: Present, next: SecretsManager): string {
  if (next.type === 'cloud') return `The secrets of stack ${id.stack} are protected by ${provider} now`;
  const first = `The secrets of stack ${id.stack} are protected by ${isRotation(present) ? 'the new' : 'a'} passphrase now`;
  return isRotation(present) ? `${first}: set CAIRN_CONFIG_PASSPHRASE to it from here on` : first;
}
