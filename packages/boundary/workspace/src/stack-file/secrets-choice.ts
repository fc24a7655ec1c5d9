import {
  cloudManager,
  cloudState,
  createCloudManager,
  createPassphraseManager,
  overrideUrl,
  parseCloudState,
  parseKeyUrl,
  passphraseManager,
  saltOfStateJson,
} from '@cairn/crypters';
import type { SecretsManager, UnlockSources } from '@cairn/crypters';
import { fail } from '@cairn/diagnostics';
import { hasSecure } from '../config/config-tree.js';
import { envFlag } from '../env.js';
import type { SecretsSettings } from './secrets-settings.js';
import type { StackSettings } from './stack-file.js';

/** The manager of a stack and the settings for its file. `changed` is true if the file must be saved. */
interface SecretsChoice {
  readonly manager: SecretsManager;
  readonly settings: SecretsSettings;
  readonly changed: boolean;
}

/**
 * Sources for choosing a manager. `stateManager` returns the manager of the stack's current state, if it has one. It is
 * called if the file names no manager, so that a file that lost its salt gets it back and nothing needs to be
 * reencrypted.
 */
export interface SecretsChoiceSources extends UnlockSources {
  readonly stateManager?: (() => Promise<SecretsManager | undefined>) | undefined;
  /** Manager of a stack for which none is named. Defaults to a new passphrase manager. */
  readonly usual?: (() => SecretsManager) | undefined;
}

const PASSPHRASE_NAMES: ReadonlySet<string> = new Set(['', 'default', 'passphrase']);

/**
 * Chooses the manager [SEC-7]: another provider named in the file, else its salt, else the state's manager, else a new
 * passphrase manager with a new salt. Fails with `CAIRN-SECRETS-UNKNOWN-TYPE` for a provider that this version does not
 * support, and `CAIRN-KEY-…` if a new data key cannot be wrapped.
 */
export async function chooseSecretsManager(
  settings: SecretsSettings,
  sources: SecretsChoiceSources,
): Promise<SecretsChoice> {
  const provider = settings.secretsProvider ?? '';
  if (!isPassphrase(provider)) return keyChoice(provider, settings, sources);
  if (settings.encryptionSalt !== undefined && settings.encryptionSalt !== '') {
    const manager = passphraseManager(settings.encryptionSalt, sources, 'reject');
    const others = [settings.secretsProvider, settings.encryptedKey];
    return {
      manager,
      settings: passphraseSettings(manager),
      changed: others.some((text) => (text ?? '') !== ''),
    };
  }
  const stateManager = (await restorable(provider, sources)) ?? usualManager(provider, sources);
  if (stateManager === undefined) return newPassphraseChoice(sources);
  if (stateManager.type === 'service') return { manager: stateManager, settings, changed: false };
  const copied = secretsSettings(stateManager) ?? settings;
  return { manager: stateManager, settings: copied, changed: copied !== settings };
}

/**
 * Returns the state's manager if the file may have lost its settings. That is not the case if the file asks for a
 * passphrase and the state has a key.
 */
async function restorable(
  provider: string,
  { env, stateManager }: SecretsChoiceSources,
): Promise<SecretsManager | undefined> {
  const manager = await stateManager?.();
  if (manager === undefined || envFlag(env, 'FALLBACK_TO_STATE_SECRETS_MANAGER')) return manager;
  if (manager.type === 'service') return isUsual(provider) ? manager : undefined;
  return manager.type === 'passphrase' || (manager.type === 'cloud' && provider === '') ? manager : undefined;
}

/** Returns the manager of stacks for which none is named, unless a passphrase is asked for. */
function usualManager(provider: string, { usual }: SecretsChoiceSources): SecretsManager | undefined {
  return isUsual(provider) ? usual?.() : undefined;
}

function isUsual(provider: string): boolean {
  return provider === '' || provider === 'default';
}

/** Returns the manager that a stack file names, without creating one. Returns undefined if it names none. */
export async function managerOfFile(
  settings: SecretsSettings,
  sources: UnlockSources,
): Promise<SecretsManager | undefined> {
  const made = isPassphrase(settings.secretsProvider ?? '') ? settings.encryptionSalt : settings.encryptedKey;
  if (made === undefined || made === '') return undefined;
  return (await chooseSecretsManager(settings, sources)).manager;
}

/**
 * Returns the manager of a new stack: the requested one (`''` requests none), or the one in its file. Fails with
 * `CAIRN-USAGE` if both differ and the file has secrets, which the new manager could not open.
 */
export async function requestedSecretsManager(
  provider: string,
  settings: StackSettings,
  sources: SecretsChoiceSources,
): Promise<SecretsChoice> {
  const present = settings.secretsProvider ?? '';
  const same = provider === present || (isPassphrase(provider) && isPassphrase(present));
  if (provider === '' || same) return chooseSecretsManager(settings, sources);
  if ([...settings.config.values()].some(hasSecure)) {
    const named = isPassphrase(present) ? 'a passphrase' : present;
    fail('CAIRN-USAGE', `the stack file has secrets that are protected by ${named}, not by ${provider}`, {
      hint: 'Leave out --secrets-provider, and run `cairn stack change-secrets-provider` when the stack exists.',
    });
  }
  return newSecretsChoice(provider, sources);
}

/**
 * Creates a new manager of a provider, with its own salt or data key, for a change of provider or a rotation. For
 * `reach` see {@link overrideUrl}.
 */
export async function newSecretsChoice(
  provider: string,
  sources: SecretsChoiceSources,
  reach?: string,
): Promise<SecretsChoice> {
  const usual = usualManager(provider, sources);
  if (usual !== undefined) return { manager: usual, settings: UNNAMED, changed: true };
  if (isPassphrase(provider)) return newPassphraseChoice(sources);
  const manager = await createCloudManager(provider, sources, { reach });
  return { manager, settings: keySettings(manager), changed: true };
}

/** Creates a new passphrase manager with a new salt. */
async function newPassphraseChoice(sources: UnlockSources): Promise<SecretsChoice> {
  const manager = await createPassphraseManager(sources);
  return { manager, settings: passphraseSettings(manager), changed: true };
}

/** Tells whether a `secretsprovider` means the passphrase. */
export function isPassphrase(provider: string): boolean {
  return PASSPHRASE_NAMES.has(provider);
}

/**
 * Refuses a secrets provider (`--secrets-provider`, `secretsprovider`) that this version does not support, or that is
 * not the URL of a key.
 */
export function checkSecretsProvider(provider: string): void {
  if (isPassphrase(provider)) return;
  if (provider.includes('://')) parseKeyUrl(provider);
  else
    fail('CAIRN-SECRETS-UNKNOWN-TYPE', `cannot use secrets: no known secrets provider "${provider}"`, {
      hint: 'Use passphrase, or the URL of a key: awskms://…, azurekeyvault://…, gcpkms://…, hashivault://….',
    });
}

/** Settings of a manager that the state service of the stack has: a file names none. */
const UNNAMED: SecretsSettings = {
  secretsProvider: undefined,
  encryptedKey: undefined,
  encryptionSalt: undefined,
};

/**
 * Returns the settings that name a manager in a stack file [SEC-5], or undefined for a manager that no file can name.
 */
export function secretsSettings(manager: SecretsManager): SecretsSettings | undefined {
  if (manager.type === 'passphrase') return passphraseSettings(manager);
  if (manager.type === 'service') return UNNAMED;
  return manager.type === 'cloud' ? keySettings(manager) : undefined;
}

/** Returns the manager of a key's URL with its wrapped data key. A URL without one gets a new data key. */
async function keyChoice(
  provider: string,
  settings: SecretsSettings,
  sources: UnlockSources,
): Promise<SecretsChoice> {
  checkSecretsProvider(provider);
  const reach = overrideUrl(sources.env);
  const { encryptedKey, encryptionSalt } = settings;
  if (encryptedKey === undefined || encryptedKey === '') {
    const manager = await createCloudManager(provider, sources, { reach });
    return { manager, settings: keySettings(manager), changed: true };
  }
  const manager = cloudManager(cloudState(provider, encryptedKey), sources, { reach });
  return { manager, settings: keySettings(manager), changed: (encryptionSalt ?? '') !== '' };
}

/** Returns the settings of a passphrase. They clear the other two settings. */
function passphraseSettings(manager: SecretsManager): SecretsSettings {
  return {
    secretsProvider: undefined,
    encryptedKey: undefined,
    encryptionSalt: saltOfStateJson(manager.state),
  };
}

/** Returns the settings of a key. They clear the salt. */
function keySettings(manager: SecretsManager): SecretsSettings {
  const { url, wrapped } = parseCloudState(manager.state);
  return { secretsProvider: url, encryptedKey: wrapped, encryptionSalt: undefined };
}
