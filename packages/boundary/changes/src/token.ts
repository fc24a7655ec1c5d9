import { createHash } from 'node:crypto';
import type { Direction } from './records.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Encodes base 32 (RFC 4648) in lower case without padding: safe in names of every provider. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31);
  }
  return bits > 0 ? text + ALPHABET.charAt((held << (5 - bits)) & 31) : text;
}

/** Start of a task that a token identifies. */
interface TokenSource {
  /** Scope of the change, and its id. */
  readonly scope: string;
  readonly change: string;
  readonly task: string;
  readonly direction: Direction | 'cleanup';
  /** Number of definite failures before it. */
  readonly generation: number;
}

/**
 * Returns the idempotency token of a start. It is the same for every attempt until one has definitely failed, in this
 * process and in later ones. 52 characters a-z and 2-7 [CHG-26].
 */
export function idempotencyToken({ scope, change, task, direction, generation }: TokenSource): string {
  const text = [scope, change, task, direction, String(generation)].join('\0');
  return base32(createHash('sha256').update(text).digest());
}
