import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A private key of a server. `enabled` is false after it was disabled or scheduled for deletion. */
export interface ServerKey {
  readonly id: string;
  readonly secret: Buffer;
  enabled: boolean;
}

/** Returns a key with a secret of its own. */
export function newServerKey(id: string): ServerKey {
  return { id, secret: randomBytes(32), enabled: true };
}

/**
 * Encrypts with AES-256-GCM under a key of a server. Returns nonce, tag and ciphertext. `bound` must be the same for
 * decryption.
 */
export function sealBytes(key: ServerKey, bytes: Uint8Array, bound: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the bytes. Undefined if another key encrypted them, they were changed, or `bound` differs. */
export function openBytes(key: ServerKey, sealed: Uint8Array, bound: string): Buffer | undefined {
  if (sealed.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(bound)).setAuthTag(sealed.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  } catch {
    return undefined;
  }
}
