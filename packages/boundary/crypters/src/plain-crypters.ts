import { BugError, cairnError, fail, isCairnError } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { SECRET_TEXT } from '@cairn/values';
import { decodeBase64 } from './base64.js';
import type { Crypter } from './crypter.js';

/** Changes nothing: to copy ciphertexts as they are, and inside a text that is encrypted as a whole [SEC-6]. */
export const nopCrypter: Crypter = { encrypt: (plaintext) => plaintext, decrypt: (ciphertext) => ciphertext };

/** Turns everything into `[secret]`, for displays and events. */
export const blindingCrypter: Crypter = { encrypt: () => SECRET_TEXT, decrypt: () => SECRET_TEXT };

/** The same for state, whose plaintexts are JSON: everything becomes the JSON text `"[secret]"`. */
export const blindingStateCrypter: Crypter = {
  encrypt: () => JSON.stringify(SECRET_TEXT),
  decrypt: () => JSON.stringify(SECRET_TEXT),
};

/** Base64 of the text. Hides nothing: for tests only. */
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
 * Fails at every use with the error it is given: a key that could not be had, or ciphertext where there is no manager.
 */
export function lockedCrypter(error: () => CairnError): Crypter {
  const refuse = (): never => {
    throw error();
  };
  return { encrypt: refuse, decrypt: refuse };
}

/**
 * Reads what can be read [SEC-6]: a text that cannot be decrypted becomes `instead`, by default the JSON text of an
 * empty map. It cannot encrypt, so that nothing of it is stored. `onError` hears of each such text.
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

/** For a deployment that has ciphertexts and names no secrets manager. */
export const noManagerCrypter: Crypter = lockedCrypter(() =>
  cairnError(
    'CAIRN-SECRETS-MALFORMED',
    'cannot use secrets: the state has secrets and names no secrets manager',
    {
      hint: 'Restore "secrets_providers" in the state from a backup, or import a complete export.',
    },
  ),
);
