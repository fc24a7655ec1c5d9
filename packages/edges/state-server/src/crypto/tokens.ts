import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Returns a fresh token of 256 bits. `prefix` tells users its purpose. */
export function randomToken(prefix: string): string {
  return `${prefix}-${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

/** Returns the form in which a token is stored: its SHA-256 in hex. Tokens are random, so this is enough. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

/** Compares two hashes in constant time. */
export function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
