import { createHash } from 'node:crypto';
import { base32 } from './base32.js';
import type { Direction } from './records.js';

/** Which start of which task a token is for. */
export interface TokenSource {
  /** What the change is about, and which one it is. */
  readonly scope: string;
  readonly change: string;
  readonly task: string;
  readonly direction: Direction | 'cleanup';
  /** Definite failures before it. */
  readonly generation: number;
}

/**
 * The idempotency token of a start: the same for every attempt until one has definitely failed, in this process and in
 * later ones. 52 characters a-z and 2-7 [CHG-26].
 */
export function idempotencyToken({ scope, change, task, direction, generation }: TokenSource): string {
  const text = [scope, change, task, direction, String(generation)].join('\0');
  return base32(createHash('sha256').update(text).digest());
}
