import type { TokenRecord } from '../store/token-store.js';

/** Time in seconds. */
const DAY = 86_400;
/** Time before its end from which on a token has notices, in seconds. */
const NOTICE_SECONDS = 7 * DAY;
/** Time for which a token stays after its end, in seconds. */
const KEPT_SECONDS = DAY;

/**
 * Returns what to do about the end of a token: `remove` it, give a `notice` of it, or nothing. A notice comes in the
 * second half of its life, in the last week. Tokens for a day or less, and those that end with another one, have none:
 * they are those of sessions, jobs and runs. Times are in seconds since 1970 [AGT-21].
 */
export function tokenEnd(
  { createdAt, expiresAt, parent }: Pick<TokenRecord, 'createdAt' | 'expiresAt' | 'parent'>,
  now: number,
): 'remove' | 'notice' | undefined {
  if (expiresAt === undefined) return undefined;
  if (expiresAt < now - KEPT_SECONDS) return 'remove';
  const life = expiresAt - createdAt;
  const left = expiresAt - now;
  const isLong = parent === undefined && life > DAY;
  return isLong && left > 0 && left <= Math.min(NOTICE_SECONDS, life / 2) ? 'notice' : undefined;
}
