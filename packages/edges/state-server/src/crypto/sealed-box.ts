import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const FORMAT = 1;
const NONCE = 12;
const TAG = 16;

/** Size of every key, in bytes. */
export const KEY_BYTES = 32;

/**
 * Seals bytes with AES-256-GCM under a fresh nonce. `bound` is authenticated with them: it opens only under the same
 * text. The result is format, nonce, ciphertext and tag.
 */
export function seal(key: Uint8Array, bound: string, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = [cipher.update(plaintext), cipher.final()];
  return Buffer.concat([Buffer.of(FORMAT), nonce, ...body, cipher.getAuthTag()]);
}

/** Opens what {@link seal} returned, or returns undefined: another key, another text, or altered bytes. */
export function unseal(key: Uint8Array, bound: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < 1 + NONCE + TAG || sealed[0] !== FORMAT) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(1 + NONCE, sealed.length - TAG)),
      decipher.final(),
    ]);
  } catch {
    return undefined;
  }
}
