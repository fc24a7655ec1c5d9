import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 4096;
const KEY_BYTES = 32;
/** Spaces outside of ASCII, which represent a space in a password (RFC 4013). */
const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
/** Characters that are ignored in a password (RFC 4013). */
const NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;

/**
 * Returns a server's verifier of a password for SCRAM-SHA-256 (RFC 5802, 7677): sufficient to check the password, not
 * to derive it. A role that is created with this text gets the password, and the password itself is in no log of the
 * server.
 */
export function scramVerifier(
  password: string,
  salt: Buffer = randomBytes(16),
  iterations = ITERATIONS,
): string {
  const salted = pbkdf2Sync(prepared(password), salt, iterations, KEY_BYTES, 'sha256');
  const hmac = (word: string): Buffer => createHmac('sha256', salted).update(word).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest();
  const keys = `${storedKey.toString('base64')}:${hmac('Server Key').toString('base64')}`;
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${keys}`;
}

/**
 * Tells whether a server's verifier (`pg_authid.rolpassword`) belongs to this password. `role` is used by older
 * verifiers, which hash it. Undefined for an unknown kind of verifier.
 */
export function isPassword(kept: string, password: string, role: string): boolean | undefined {
  const scram = /^SCRAM-SHA-256\$(\d+):([^$]+)\$[^:]+:.+$/.exec(kept);
  if (scram !== null) {
    const [, iterations = '', salt = ''] = scram;
    return same(kept, scramVerifier(password, Buffer.from(salt, 'base64'), Number(iterations)));
  }
  if (/^md5[0-9a-f]{32}$/.test(kept))
    return same(
      kept,
      `md5${createHash('md5')
        .update(password + role)
        .digest('hex')}`,
    );
  return undefined;
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function prepared(password: string): string {
  return password.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
}
