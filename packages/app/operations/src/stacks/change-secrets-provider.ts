import type { Backend, StackId } from '@cairn/backends';
import { openSecretsManager, overrideUrl, sameManager } from '@cairn/crypters';
import type { Crypter, SecretsManager, UnlockSources } from '@cairn/crypters';
import {
  BugError,
  CairnError,
  cairnError,
  errorDiagnostic,
  isCairnError,
  messageOf,
} from '@cairn/diagnostics';
import { emptyDeployment, resealedDeployment } from '@cairn/state';
import type { SerializedDeployment } from '@cairn/state';
import {
  hasSecure,
  isPassphrase,
  loadStackFile,
  managerOfFile,
  newSecretsChoice,
  recryptConfig,
  saveStackFile,
  secureTexts,
  secretsSettings,
} from '@cairn/workspace';
import type { SecretsSettings, StackFile } from '@cairn/workspace';
import type { OpenStack } from '../access/open-stack.js';
import {
  ciphertextsOf,
  fetchedCrypter,
  hasSecrets,
  managerOf,
  newStackSources,
  withMade,
} from '../access/secrets.js';
import { configFileOf } from '../access/stack-choice.js';
import { passphraseFromEnvironment, unlockSources } from '../access/user.js';
import { tell } from '../ports.js';
import type { Ports } from '../ports.js';

/**
 * Present protection of a stack. State and file name the same manager, unless one of them was edited or a run was
 * interrupted.
 */
interface Present {
  readonly file: StackFile;
  readonly ofFile: SecretsManager | undefined;
  readonly deployment: SerializedDeployment;
  readonly ofState: SecretsManager | undefined;
}

/**
 * New protection of a stack's secrets: a key of a key service, a passphrase, another passphrase than the present one,
 * or the state service that has the stack.
 */
export type Protection = 'key' | 'passphrase' | 'new-passphrase' | 'service';

/**
 * Puts the secrets of a stack under another manager, or under a new key of the same. The state is sealed again first,
 * as a change of its own, and names its manager itself; the stack file follows in one piece. After an interrupt between
 * the two, a second run leaves the new state in place and updates the file. `provider` has been checked by
 * `checkSecretsProvider`.
 */
export async function changeSecretsProvider(
  { ports, choice, project, backend, id }: OpenStack,
  provider: string,
): Promise<Protection> {
  const file = await loadStackFile(project, id.stack, configFileOf(ports, choice));
  const { deployment = emptyDeployment } = await backend.read(id, { integrity: 'skip' });
  const { usual } = newStackSources(ports, backend, id);
  const ofState = managerOf(ports, deployment);
  const named = await managerOfFile(file.settings, unlockSources(ports));
  // A file names no state service.
  const ofFile = named ?? (ofState?.type === 'service' ? ofState : usual?.());
  const present: Present = { file, ofFile, deployment, ofState };
  const next = await nextManager(ports, provider, present, usual);
  const settings = secretsSettings(next);
  if (settings === undefined) throw new BugError(`no stack file can name a manager of type ${next.type}`);
  const crypter = await next.crypter();
  const fromFile = await crypterOfFile(present);
  const config = recryptConfig(file.settings.config, fromFile, crypter);
  await withMade(next, () => sealState(ports, backend, id, present, next));
  const { text } = file;
  await saveFile(file, (now) => ({
    secrets: settings,
    config: now.text === text ? config : recryptConfig(now.settings.config, fromFile, crypter),
  }));
  if (next.type === 'service') return 'service';
  if (next.type === 'cloud') return 'key';
  return isRotation(present) ? 'new-passphrase' : 'passphrase';
}

/** Returns the next manager: a new one, or the state's, if an interrupted run has already applied it there. */
async function nextManager(
  ports: Ports,
  provider: string,
  present: Present,
  usual: (() => SecretsManager) | undefined,
): Promise<SecretsManager> {
  if (usual !== undefined && provider === 'default') return usual();
  const sources = isPassphrase(provider)
    ? await passphraseSources(ports, isRotation(present))
    : unlockSources(ports);
  const { ofState, ofFile } = present;
  const outOfStep = ofState !== undefined && (ofFile === undefined || !sameManager(ofState, ofFile));
  if (outOfStep && (await isThere(ofState, provider, sources))) return reopened(ofState, sources);
  const { settings } = present.file;
  const reach = provider === settings.secretsProvider ? overrideUrl(ports.env) : undefined;
  return (await newSecretsChoice(provider, sources, reach)).manager;
}

/** Tells whether a passphrase replaces a passphrase. */
function isRotation({ file: { settings }, ofFile, ofState }: Present): boolean {
  return isPassphrase(settings.secretsProvider ?? '') && (ofFile ?? ofState)?.type === 'passphrase';
}

/**
 * Returns the sources of the new passphrase. The variables and the file in the home contain the present one, so a
 * rotation does not use them.
 */
async function passphraseSources(ports: Ports, rotation: boolean): Promise<UnlockSources> {
  if (!rotation && passphraseFromEnvironment(ports)) return unlockSources(ports);
  const passphrase = await ports.interaction.newPassphrase();
  return { env: { ...ports.env, CAIRN_CONFIG_PASSPHRASE: passphrase } };
}

async function isThere(manager: SecretsManager, provider: string, sources: UnlockSources): Promise<boolean> {
  const settings = secretsSettings(manager);
  if (settings === undefined) return false;
  if (!isPassphrase(provider)) return settings.secretsProvider === provider;
  if (manager.type !== 'passphrase') return false;
  return opens(settings, sources);
}

/** Tells whether the passphrase belongs to these settings. */
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
  return ofFile === undefined ? refuse() : fetchedCrypter(ofFile, secureTexts(file.settings.config));
}

/**
 * Seals the state with the next manager, unless it has that already. Includes changes that other processes made in the
 * meantime.
 */
async function sealState(
  ports: Ports,
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
    const manager = managerOf(ports, stored);
    if (
      manager === undefined ? ofState !== undefined : ofState === undefined || !sameManager(manager, ofState)
    )
      throw cairnError(
        'CAIRN-STORE-CONFLICT',
        `the secrets manager of stack ${id.stack} was changed meanwhile`,
        {
          hint: 'Check which one is set now, then run the command again.',
        },
      );
    if ((await view.inDoubt()).length > 0) throw inDoubt(id);
    const from =
      manager === undefined || !hasSecrets(stored)
        ? to
        : await fetchedCrypter(manager, ciphertextsOf(stored));
    const edited = resealedDeployment(stored, { from, to, secretsProvider, source });
    const superseded = view.supersedes(edited);
    if (superseded !== undefined) tell(ports, [superseded]);
    return edited;
  };
  if (hasSecrets(deployment)) await ofState?.crypter();
  tell(ports, await backend.edit(id, edit, 'stack change-secrets-provider', { integrity: 'skip' }));
}

/**
 * Returns the error for a step in doubt. Its records are sealed with the present manager, and must be readable to find
 * out about it.
 */
function inDoubt(id: StackId): CairnError {
  return cairnError(
    'CAIRN-UNFINISHED',
    `cannot change the secrets manager of stack ${id.stack}: a step is in doubt`,
    {
      hint: 'Run `cairn resume` to find its outcome, or `cairn change` to show it.',
    },
  );
}

/** Saves the stack file. The state is complete by then: an error says that only the file is behind. */
async function saveFile(file: StackFile, change: Parameters<typeof saveStackFile>[1]): Promise<void> {
  try {
    await saveStackFile(file, change);
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
