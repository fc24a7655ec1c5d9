import type { JWK } from 'jose';
import { RUN_TOKEN_SECONDS } from '@cairn/http-api';
import type { WrappedKey } from '../crypto/stack-keys.js';

/** Key that signs the OpenID Connect tokens of runs. */
export interface Signer {
  /** Thumbprint of its public part, which tokens name as `kid`. */
  readonly id: string;
  readonly publicKey: JWK;
  /** Private part, sealed under a key of its own. */
  readonly sealed: { readonly key: WrappedKey; readonly text: string };
  /** Time from which it signs, in seconds since 1970. It is published before. */
  readonly from: number;
}

const DAY = 86_400;
/** Time for which a key signs, in seconds. */
const LIFE = 30 * DAY;
/** Time for which a key is published before it signs, in seconds: clouds keep keys that they have read. */
const AHEAD = DAY;
/** Time for which a key is published after it signed its last token, in seconds. */
const BEHIND = RUN_TOKEN_SECONDS + 3600;

/** Returns the key that signs now. Another clock may have made the only one in the future. */
export function signerAt(signers: readonly Signer[], now: number): Signer | undefined {
  const sorted = byTime(signers);
  return sorted.findLast(({ from }) => from <= now) ?? sorted[0];
}

/** Returns the time from which a new key has to sign, or undefined if none has to be made yet. */
export function nextSignerFrom(signers: readonly Signer[], now: number): number | undefined {
  const last = byTime(signers).at(-1);
  if (last === undefined) return now;
  if (now < last.from + LIFE - AHEAD) return undefined;
  return Math.max(last.from + LIFE, now + AHEAD);
}

/** Returns the keys that may have signed tokens that are still valid, and those that sign later. */
export function publishedSigners(signers: readonly Signer[], now: number): readonly Signer[] {
  return byTime(signers).filter((_, at, sorted) => {
    const next = sorted[at + 1];
    return next === undefined || now < next.from + BEHIND;
  });
}

function byTime(signers: readonly Signer[]): readonly Signer[] {
  return [...signers].sort((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1));
}
