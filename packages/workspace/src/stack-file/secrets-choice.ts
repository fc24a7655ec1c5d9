import type { SecretsManager, UnlockSources } from '@cairn/crypters';
import { createPassphraseManager, passphraseManager, saltOfStateJson } from '@cairn/crypters';
import { fail } from '@cairn/diagnostics';
import { envFlag } from '../env.js';
import type { SecretsSettings } from './stack-file.js';

/** The manager of a stack and the settings its file must hold; `changed`: the file has to be saved. */
export interface SecretsChoice {
  readonly manager: SecretsManager;
  readonly settings: SecretsSettings;
  readonly changed: boolean;
}

/**
 * What choosing may use. `stateManager`: the manager of the stack's present state, taken when the file names none and
 * `CAIRN_FALLBACK_TO_STATE_SECRETS_MANAGER` (or `PULUMI_…`) is set.
 */
export interface SecretsChoiceSources extends UnlockSources {
  readonly stateManager?: SecretsManager | undefined;
}

const PASSPHRASE_NAMES: ReadonlySet<string> = new Set(['', 'default', 'passphrase']);

/**
 * Chooses by state.md 6.6: another provider named in the file, else its salt, else the state's manager, else a new passphrase manager with a new
 * salt. Fails with `CAIRN-SECRETS-UNKNOWN-TYPE` for a provider that this version does not have.
 */
export async function chooseSecretsManager(
  settings: SecretsSettings,
  sources: SecretsChoiceSources,
): Promise<SecretsChoice> {
  checkSecretsProvider(settings.secretsProvider ?? '');
  if (settings.encryptionSalt !== undefined && settings.encryptionSalt !== '') {
    return {
      manager: passphraseManager(settings.encryptionSalt, sources, 'reject'),
      settings,
      changed: false,
    };
  }
  const { stateManager } = sources;
  if (stateManager !== undefined && envFlag(sources.env, 'FALLBACK_TO_STATE_SECRETS_MANAGER')) {
    const copied = stateManager.type === 'passphrase' ? passphraseSettings(stateManager) : settings;
    return { manager: stateManager, settings: copied, changed: copied !== settings };
  }
  return newPassphraseChoice(sources);
}

/** A new passphrase manager with a new salt: for a new stack, and to rotate. */
export async function newPassphraseChoice(sources: UnlockSources): Promise<SecretsChoice> {
  const manager = await createPassphraseManager(sources);
  return { manager, settings: passphraseSettings(manager), changed: true };
}

/** Refuses a secrets provider (`--secrets-provider`, `secretsprovider`) that this version does not have. */
export function checkSecretsProvider(provider: string): void {
  if (PASSPHRASE_NAMES.has(provider)) return;
  const scheme = provider.includes('://') ? provider.slice(0, provider.indexOf('://') + 3) : provider;
  fail('CAIRN-SECRETS-UNKNOWN-TYPE', `cannot use secrets: no known secrets provider "${scheme}"`, {
    hint: 'This version supports: passphrase.',
  });
}

/** Using a passphrase clears the other two settings (state.md 6.4). */
function passphraseSettings(manager: SecretsManager): SecretsSettings {
  return {
    secretsProvider: undefined,
    encryptedKey: undefined,
    encryptionSalt: saltOfStateJson(manager.state),
  };
}
