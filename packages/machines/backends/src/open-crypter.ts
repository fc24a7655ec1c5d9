import type { Crypter } from '@cairn/crypters';
import type { SecretsProviderRecord, SerializedDeployment } from '@cairn/state';

/**
 * Returns the crypter for a state with this secrets manager; undefined means that the state names none. The state
 * itself is passed too: one without ciphertexts needs no unlocked crypter.
 */
export type OpenCrypter = (
  manager: SecretsProviderRecord | undefined,
  deployment: SerializedDeployment,
) => Promise<Crypter>;
