/** Numbers from a seed: the same seed gives the same numbers. */
export interface Random {
  /** A whole number from 0 up to, and without, `below`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

/** A generator of 32 bits of state, good enough to choose places in a text. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state;
  };
  for (let warm = 0; warm < 8; warm++) next();
  return {
    below: (limit) => next() % Math.max(1, limit),
    pick: (items) => items[next() % items.length] as (typeof items)[number],
  };
}
