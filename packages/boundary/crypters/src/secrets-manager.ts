import type { Crypter } from './crypter.js';
import type { SecretService } from './service/secret-service.js';

/** Values of `secrets_providers.type` that this package can open [SEC-1]. */
export type SecretsManagerType = 'passphrase' | 'cloud' | 'service';

/** A stack's choice of crypter with its saved settings. */
export interface SecretsManager {
  /** Value of `secrets_providers.type`. */
  readonly type: string;
  /**
   * Value of `secrets_providers.state`: the exact JSON text, with key order and spacing, because other tools compare
   * its bytes. Undefined if the type has none.
   */
  readonly state: string | undefined;
  /**
   * Returns the crypter, unlocked if possible. The first call does the costly part: it asks for the passphrase and
   * derives the key in the thread pool. Later calls share the result, so callers may call it early to overlap that work
   * with other work. If the passphrase is wrong, a manager opened for state resolves to a locked crypter, which fails
   * at each use. One opened for config rejects, and so does one whose key service cannot be used.
   */
  crypter(): Promise<Crypter>;
  /**
   * Opens ciphertexts in one call, before the crypter decrypts them. Absent if the crypter has the key. Fails as the
   * service does that has it.
   */
  readonly fetch?: (ciphertexts: Iterable<string>) => Promise<void>;
}

/** Asks the user for a text that is not shown while it is typed. */
type PassphrasePrompt = (message: string) => Promise<string>;

/**
 * External sources that a manager may use. `env` contains the variables of the process or of a test. `prompt` is absent
 * if not interactive.
 */
export interface UnlockSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt?: PassphrasePrompt | undefined;
  /** Returns the service that a state of type `service` names. Without one, its secrets cannot be opened. */
  readonly service?: ((state: string) => SecretService | undefined) | undefined;
}

/**
 * Tells whether two managers are the same: their type and state bytes are equal [SEC-6]. The one can then keep
 * ciphertexts of the other.
 */
export function sameManager(a: SecretsManager, b: SecretsManager): boolean {
  return a.type === b.type && a.state === b.state;
}
