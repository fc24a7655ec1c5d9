import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';

/**
 * Gives the crypter for a state whose secrets manager is the given one (undefined: the state names none). The state
 * itself is handed in too: one without ciphertexts needs no unlocked crypter.
 */
export type OpenCrypter = (
  manager: SecretsProviderRecord | undefined,
  deployment: SerializedDeployment,
) => Promise<Crypter>;
