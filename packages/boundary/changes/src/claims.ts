/**
 * Something that a change holds while it runs. Keys are the caller's own; {@link EVERYTHING} stands for all keys of the
 * scope. Two claims on one key meet peacefully only when both are shared [CHG-27].
 */
export interface Claim {
  readonly key: string;
  readonly mode: 'exclusive' | 'shared';
}

/** The key that covers every other key of the scope. */
export const EVERYTHING = '*';

/** The claims of one unfinished change. */
export interface HeldClaims {
  readonly changeId: string;
  readonly changeKind: string;
  readonly claims: readonly Claim[];
}

/** Why a change may not start. */
export interface Conflict {
  readonly changeId: string;
  readonly changeKind: string;
  /** The key that both want. */
  readonly key: string;
}

/** The first conflict between what is wanted and what others hold, in the order given; undefined when there is none. */
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
