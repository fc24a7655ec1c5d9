import type { Crypter } from './crypter.js';

/** The `secrets_providers.type` values that this package can open [SEC-1]. */
export type SecretsManagerType = 'passphrase' | 'cloud' | 'service';

/** A stack's choice of crypter with its saved settings. */
export interface SecretsManager {
  /** What stands in `secrets_providers.type`. */
  readonly type: string;
  /**
   * What stands in `secrets_providers.state`: the exact JSON text, key order and spacing kept, because other tools
   * compare its bytes. Undefined when the type has none.
   */
  readonly state: string | undefined;
  /**
   * The crypter, unlocked when it can be. The first call does the costly part (asking for the passphrase, deriving the
   * key in the thread pool) and later ones share it, so it may be called early to overlap that work with something
   * else. A manager opened for state resolves to a locked crypter when the passphrase is wrong: it fails at each use.
   * One opened for config rejects, and so does one whose key service cannot be used.
   */
  crypter(): Promise<Crypter>;
}

/** Asks the user for a text that is not shown while it is typed. */
type PassphrasePrompt = (message: string) => Promise<string>;

/**
 * What a manager may use from outside. `env`: the process's variables, or a test's. `prompt`: absent when not
 * interactive.
 */
export interface UnlockSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly prompt?: PassphrasePrompt | undefined;
}

/**
 * Two managers are the same when type and state bytes are equal [SEC-6]: then ciphertexts of one can be kept by the
 * other.
 */
export function sameManager(a: SecretsManager, b: SecretsManager): boolean {
  return a.type === b.type && a.state === b.state;
}
