/**
 * Returns a longest common subsequence of two lists. If there are several, it is the one that ends latest in `from`.
 */
export function commonSequence<T>(
  from: readonly T[],
  to: readonly T[],
  same: (a: T, b: T) => boolean,
): readonly T[] {
  const lengths = [new Array<number>(to.length + 1).fill(0)];
  for (const [row, one] of from.entries()) {
    const above = lengths[row] as number[];
    const next = [0];
    for (const [column, other] of to.entries()) {
      const longer = Math.max(above[column + 1] as number, next[column] as number);
      next.push(same(one, other) ? (above[column] as number) + 1 : longer);
    }
    lengths.push(next);
  }
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const found: T[] = [];
  let [row, column] = [from.length, to.length];
  while (row > 0 && column > 0) {
    if (same(from[row - 1] as T, to[column - 1] as T)) {
      found.push(from[row - 1] as T);
      row--;
      column--;
    } else if (lengthAt(row - 1, column) > lengthAt(row, column - 1)) row--;
    else column--;
  }
  return found.reverse();
}
