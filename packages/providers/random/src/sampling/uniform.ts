import { randomBytes, randomInt } from 'node:crypto';

/** Returns a random integer between two safe integers, including both, each equally likely. */
export function uniformInteger(min: number, max: number): number {
  const span = BigInt(max) - BigInt(min) + 1n;
  if (span <= 0xffff_ffffn) return min + randomInt(Number(span));
  // Draws of 64 bits beyond the last whole multiple of the span would favour small results.
  const limit = (1n << 64n) - ((1n << 64n) % span);
  for (;;) {
    const draw = randomBytes(8).readBigUInt64BE();
    if (draw < limit) return Number(BigInt(min) + (draw % span));
  }
}

/** Returns one of the items, each equally likely. The list must not be empty. */
export function pick<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T;
}

/** Returns the items in a random order, each order equally likely. */
export function shuffled<T>(items: readonly T[]): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
