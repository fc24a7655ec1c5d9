import type { Crypter } from './crypter.js';
import type { SecretsManager } from './secrets-manager.js';

interface Sealed {
  readonly plaintext: string;
  readonly ciphertext: string;
}

/**
 * Remembers ciphertexts by secret object and decrypted texts by ciphertext [SEC-6]. A secret that does not change keeps
 * its ciphertext through all writes of one operation, and each ciphertext is decrypted once. Two objects with the same
 * text never share a ciphertext. The decrypted texts are kept as long as the crypter, so use one for a single
 * operation.
 */
export function cachingCrypter(inner: Crypter): Crypter {
  const sealed = new WeakMap<object, Sealed>();
  const opened = new Map<string, string>();
  return {
    encrypt: (plaintext, identity) => {
      const known = identity === undefined ? undefined : sealed.get(identity);
      if (known?.plaintext === plaintext) return known.ciphertext;
      const ciphertext = inner.encrypt(plaintext, identity);
      if (identity !== undefined) sealed.set(identity, { plaintext, ciphertext });
      return ciphertext;
    },
    decrypt: (ciphertext) => {
      const known = opened.get(ciphertext);
      if (known !== undefined) return known;
      const plaintext = inner.decrypt(ciphertext);
      opened.set(ciphertext, plaintext);
      return plaintext;
    },
  };
}

/**
 * Returns the manager for one operation: the same manager, with a crypter that caches. If `CAIRN_DISABLE_SECRET_CACHE`
 * or `PULUMI_DISABLE_SECRET_CACHE` is `1` or `true`, it returns the manager unchanged.
 */
export function cachingSecretsManager(
  manager: SecretsManager,
  env: Readonly<Record<string, string | undefined>>,
): SecretsManager {
  const setting = env['CAIRN_DISABLE_SECRET_CACHE'] ?? env['PULUMI_DISABLE_SECRET_CACHE'] ?? '';
  if (/^(1|true)$/i.test(setting)) return manager;
  let caching: Promise<Crypter> | undefined;
  return {
    ...manager,
    crypter: () => (caching ??= manager.crypter().then(cachingCrypter)),
  };
}
