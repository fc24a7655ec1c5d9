import { BugError, cairnError, fail, isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { SECRET_TEXT } from '@cairn/values';
import { decodeBase64 } from './base64.js';
import type { Crypter } from './crypter.js';

/** Changes nothing. It copies ciphertexts unchanged, and is used inside a text that is encrypted as a whole [SEC-6]. */
export const nopCrypter: Crypter = { encrypt: (plaintext) => plaintext, decrypt: (ciphertext) => ciphertext };

/** Turns everything into `[secret]`, for displays and events. */
export const blindingCrypter: Crypter = { encrypt: () => SECRET_TEXT, decrypt: () => SECRET_TEXT };

/**
 * Turns everything into the JSON text `"[secret]"`. It is the blinding crypter for state, whose plaintexts are JSON.
 */
export const blindingStateCrypter: Crypter = {
  encrypt: () => JSON.stringify(SECRET_TEXT),
  decrypt: () => JSON.stringify(SECRET_TEXT),
};

/** Encodes the text as base64. It hides nothing and is for tests only. */
export const base64Crypter: Crypter = {
  encrypt: (plaintext) => Buffer.from(plaintext, 'utf8').toString('base64'),
  decrypt: (ciphertext) => {
    const bytes = decodeBase64(ciphertext);
    return bytes === undefined
      ? fail('CAIRN-SECRETS-MALFORMED', 'cannot decrypt a secret: it is not base64')
      : bytes.toString('utf8');
  },
};

/**
 * Returns a crypter that fails at every use with the given error: the key was unavailable, or there is ciphertext
 * without a manager.
 */
export function lockedCrypter(error: () => CairnError): Crypter {
  const refuse = (): never => {
    throw error();
  };
  return { encrypt: refuse, decrypt: refuse };
}

/**
 * Decrypts as much as possible [SEC-6]: a text that cannot be decrypted becomes `instead`, by default the JSON text of
 * an empty map. It cannot encrypt, so that none of its results is stored. `onError` receives the error of each such
 * text.
 */
export function errorCatchingCrypter(
  inner: Crypter,
  instead = '{}',
  onError: (error: CairnError) => void = () => undefined,
): Crypter {
  return {
    encrypt: () => {
      throw new BugError('a crypter that swallows errors is for reading only');
    },
    decrypt: (ciphertext) => {
      try {
        return inner.decrypt(ciphertext);
      } catch (thrown) {
        if (!isCairnError(thrown)) throw thrown;
        onError(thrown);
        return instead;
      }
    },
  };
}

/** Crypter of a deployment that has ciphertexts and names no secrets manager. */
export const noManagerCrypter: Crypter = lockedCrypter(() =>
  cairnError(
    'CAIRN-SECRETS-MALFORMED',
    'cannot use secrets: the state has secrets but does not name a secrets manager',
    {
      hint: 'Restore "secrets_providers" in the state from a backup, or import a complete export.',
    },
  ),
);
