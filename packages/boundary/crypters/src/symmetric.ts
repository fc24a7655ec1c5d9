import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { BugError, fail } from '@cairn/diagnostics';
import { decodeBase64 } from './base64.js';
import type { Crypter } from './crypter.js';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Returns that many fresh random bytes. */
export type RandomBytes = (size: number) => Uint8Array;

/**
 * Returns a crypter for AES-256-GCM under a 32-byte key [SEC-2]. Its text form is `v1:<base64 nonce>:<base64 ciphertext
 * and tag>`. Every encryption uses a fresh nonce, so equal texts give different ciphertexts.
 */
export function symmetricCrypter(key: Uint8Array, random: RandomBytes = randomBytes): Crypter {
  if (key.length !== KEY_BYTES)
    throw new BugError(`a symmetric key has ${KEY_BYTES} bytes, not ${key.length}`);
  return {
    encrypt: (plaintext) => seal(key, random(NONCE_BYTES), plaintext),
    decrypt: (ciphertext) => open(key, ciphertext),
  };
}

function seal(key: Uint8Array, nonce: Uint8Array, plaintext: string): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1:${Buffer.from(nonce).toString('base64')}:${sealed.toString('base64')}`;
}

function open(key: Uint8Array, ciphertext: string): string {
  const { nonce, sealed } = parse(ciphertext);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES)),
      decipher.final(),
    ]).toString('utf8');
  } catch (thrown) {
    return fail(
      'CAIRN-SECRETS-MALFORMED',
      'cannot decrypt a secret: it was encrypted with another key, or was altered',
      {
        hint: 'Restore the value from a copy of the file, or set the secret again.',
      },
      thrown,
    );
  }
}

function parse(ciphertext: string): { nonce: Buffer; sealed: Buffer } {
  const parts = ciphertext.split(':');
  const [version, nonceText, sealedText] = parts;
  if (parts.length !== 3 || nonceText === undefined || sealedText === undefined)
    return malformed('it does not have the form v1:nonce:ciphertext');
  if (version !== 'v1') return malformed('its format version is not v1');
  const nonce = decodeBase64(nonceText);
  const sealed = decodeBase64(sealedText);
  if (nonce?.length !== NONCE_BYTES) return malformed(`its nonce is not ${NONCE_BYTES} bytes of base64`);
  if (sealed === undefined || sealed.length < TAG_BYTES)
    return malformed('its ciphertext is cut off or not base64');
  return { nonce, sealed };
}

function malformed(reason: string): never {
  return fail('CAIRN-SECRETS-MALFORMED', `cannot decrypt a secret: ${reason}`, {
    hint: 'Restore the value from a copy of the file, or set the secret again.',
  });
}
