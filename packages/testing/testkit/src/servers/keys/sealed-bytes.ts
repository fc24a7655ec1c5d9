import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key that a server keeps to itself. `enabled`: false as after it was disabled or scheduled to go. */
export interface ServerKey {
  readonly id: string;
  readonly secret: Buffer;
  enabled: boolean;
}

/** A key with a secret of its own. */
export function newServerKey(id: string): ServerKey {
  return { id, secret: randomBytes(32), enabled: true };
}

/** AES-256-GCM under a key of a server: nonce, tag and ciphertext. `bound`: what must be the same when it is opened. */
export function sealBytes(key: ServerKey, bytes: Uint8Array, bound: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The bytes again; undefined when another key sealed them, they were altered, or `bound` differs. */
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
