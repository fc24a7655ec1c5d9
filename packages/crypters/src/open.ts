import { fail } from '@cairn/diagnostics';
import { passphraseManager } from './passphrase/passphrase-manager.js';
import { saltOfStateJson } from './passphrase/salt-state.js';
import { base64Crypter } from './plain-crypters.js';
import type { SecretsManager, SecretsManagerType, UnlockSources } from './secrets-manager.js';

/** Makes the manager that a deployment's `secrets_providers` names. `state`: its exact JSON text, undefined when absent. */
export type SecretsManagerOpener = (state: string | undefined, sources: UnlockSources) => SecretsManager;

/** The managers a deployment may name: one row each. */
export const secretsManagers: Readonly<Record<SecretsManagerType, SecretsManagerOpener>> = {
  passphrase: (state, sources) => {
    const manager = passphraseManager(saltOfStateJson(state), sources, 'lock');
    return state === undefined ? manager : { ...manager, state };
  },
};

/** Opens type `b64`, which hides nothing. Not among {@link secretsManagers}: tests add it (`{ ...secretsManagers, b64: base64Manager }`). */
export function base64Manager(): SecretsManager {
  return { type: 'b64', state: undefined, crypter: async () => base64Crypter };
}

/**
 * The manager of a deployment that was read (state.md 6.1). Neither asks nor derives yet: see `SecretsManager.crypter`. Fails with
 * `CAIRN-SECRETS-UNKNOWN-TYPE` or, when the settings are not of that type's form, `CAIRN-SECRETS-MALFORMED`.
 */
export function openSecretsManager(
  type: string,
  state: string | undefined,
  sources: UnlockSources,
  managers: Readonly<Record<string, SecretsManagerOpener>> = secretsManagers,
): SecretsManager {
  const opener = Object.hasOwn(managers, type) ? managers[type] : undefined;
  if (opener !== undefined) return opener(state, sources);
  return fail(
    'CAIRN-SECRETS-UNKNOWN-TYPE',
    `cannot read the stack's secrets: no known secrets provider "${type}"`,
    {
      hint: `This version supports: ${Object.keys(managers).sort().join(', ')}. Change the stack's secrets provider to one of them with the tool that wrote it.`,
    },
  );
}
