import { cairnError, fail } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { cloudManager, overrideUrl } from './cloud/cloud-manager.js';
import { parseCloudState } from './cloud/cloud-state.js';
import { passphraseManager } from './passphrase/passphrase-manager.js';
import { saltOfStateJson } from './passphrase/salt-state.js';
import { base64Crypter, lockedCrypter } from './plain-crypters.js';
import { serviceManager } from './service/service-manager.js';
import type { SecretsManager, SecretsManagerType, UnlockSources } from './secrets-manager.js';

/**
 * Opens the manager named in a deployment's `secrets_providers`. `state` is its exact JSON text, or undefined if
 * absent.
 */
type SecretsManagerOpener = (state: string | undefined, sources: UnlockSources) => SecretsManager;

/** Openers of the managers that a deployment may name, one row each. */
export const secretsManagers: Readonly<Record<SecretsManagerType, SecretsManagerOpener>> = {
  passphrase: (state, sources) => {
    const manager = passphraseManager(saltOfStateJson(state), sources, 'lock');
    return state === undefined ? manager : { ...manager, state };
  },
  cloud: cloudManagerOfState,
  service: serviceManagerOfState,
};

/**
 * Opens the manager of a state. The override belongs to the selected stack, but the state may be another stack's. If
 * the override does not open it, the URL of the state is used.
 */
function cloudManagerOfState(json: string | undefined, sources: UnlockSources): SecretsManager {
  const state = parseCloudState(json);
  const own = cloudManager(state, sources);
  const reach = overrideUrl(sources.env);
  if (reach === undefined) return own;
  const reached = cloudManager(state, sources, { reach });
  return { ...own, crypter: () => reached.crypter().catch(() => own.crypter()) };
}

/** Opens the manager of a state, locked if no service can be reached for it. */
function serviceManagerOfState(state: string | undefined, { service }: UnlockSources): SecretsManager {
  const keeper = state === undefined ? undefined : service?.(state);
  return state === undefined || keeper === undefined
    ? { type: 'service', state, crypter: async () => lockedCrypter(serviceOnly) }
    : serviceManager(state, keeper);
}

/** Returns the error for the type `service`. Its keys never leave the service of the tool that wrote the state. */
function serviceOnly(): CairnError {
  return cairnError(
    'CAIRN-SECRETS-UNKNOWN-TYPE',
    'cannot open secrets: the service that the state comes from stores the keys of its secrets provider "service"',
    {
      hint: 'Export the state there with --show-secrets and import that, or change its secrets provider there first.',
    },
  );
}

/**
 * Opens type `b64`, which hides nothing. It is not among {@link secretsManagers}: tests add it (`{ ...secretsManagers,
 * b64: base64Manager }`).
 */
export function base64Manager(): SecretsManager {
  return { type: 'b64', state: undefined, crypter: async () => base64Crypter };
}

/**
 * Opens the manager of a deployment that was read [SEC-1]. It does not prompt or derive a key yet: see
 * `SecretsManager.crypter`. Fails with `CAIRN-SECRETS-UNKNOWN-TYPE` or, if the settings do not have the form of that
 * type, `CAIRN-SECRETS-MALFORMED`.
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
