import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const ITERATIONS = 1_000_000;
const KEY_BYTES = 32;
const derive = promisify(pbkdf2);

/**
 * Keys of this process, by salt and a hash of the passphrase. One derivation costs some 0.3 s of a core, and commands
 * use one or two salts.
 */
const keys = new Map<string, Promise<Buffer>>();

/**
 * Derives a key with PBKDF2-HMAC-SHA256 and 1,000,000 iterations [SEC-3]. It runs in the thread pool, once per salt and
 * passphrase in this process.
 */
export function deriveKey(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const name = `${Buffer.from(salt).toString('base64')}:${createHash('sha256').update(passphrase).digest('base64')}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  const key = derive(Buffer.from(passphrase, 'utf8'), salt, ITERATIONS, KEY_BYTES, 'sha256');
  keys.set(name, key);
  key.catch(() => keys.delete(name));
  return key;
}
