/**
 * Claim of a change on a resource while it runs. Keys are defined by the caller; {@link EVERYTHING} covers all keys of
 * the scope. Two claims on one key conflict unless both are shared [CHG-27].
 */
export interface Claim {
  readonly key: string;
  readonly mode: 'exclusive' | 'shared';
}

/** Key that covers every other key of the scope. */
export const EVERYTHING = '*';

/** Claims of one unfinished change. */
export interface HeldClaims {
  readonly changeId: string;
  readonly changeKind: string;
  readonly claims: readonly Claim[];
}

/** Reason why a change may not start. */
export interface Conflict {
  readonly changeId: string;
  readonly changeKind: string;
  /** Key of both claims. */
  readonly key: string;
}

/**
 * Returns the first conflict between wanted claims and those of other changes, in the given order. Undefined if there
 * is none.
 */
export function findConflict(held: readonly HeldClaims[], wanted: readonly Claim[]): Conflict | undefined {
  for (const holder of held) {
    const clash = wanted.find((claim) => holder.claims.some((other) => collide(claim, other)));
    if (clash !== undefined)
      return { changeId: holder.changeId, changeKind: holder.changeKind, key: clash.key };
  }
  return undefined;
}

function collide(a: Claim, b: Claim): boolean {
  const sameKey = a.key === b.key || a.key === EVERYTHING || b.key === EVERYTHING;
  return sameKey && (a.mode === 'exclusive' || b.mode === 'exclusive');
}
