/** Calls `enter` for each item to which an item leads. */
export type Next<T> = (item: T, enter: (item: T) => void) => void;

/**
 * Yields the roots and everything that they lead to, transitively, each once. It is lazy: a caller that stops walks no
 * further. Breadth first. A cycle does no harm, and a chain may have any length.
 */
export function* walk<T>(roots: Iterable<T>, next: Next<T>): Generator<T, void> {
  const found = new Set(roots);
  const enter = (item: T): void => void found.add(item);
  // Iterating over a set includes items that are added meanwhile.
  for (const item of found) {
    yield item;
    next(item, enter);
  }
}

/** Returns the roots and everything that they lead to, transitively. O(items + edges). */
export function closure<T>(roots: Iterable<T>, next: Next<T>): Set<T> {
  const found = new Set(roots);
  const enter = (item: T): void => void found.add(item);
  for (const item of found) next(item, enter);
  return found;
}

/**
 * Returns the items after their needs, otherwise in the order given: depth first, each item once. `onCycle` receives
 * the items of a cycle, the first of them needed by the last. Without it, the reference that closes the cycle is
 * ignored.
 */
export function needsFirst<T>(
  items: Iterable<T>,
  needsOf: (item: T) => readonly T[],
  onCycle: (cycle: readonly T[]) => void = () => undefined,
): T[] {
  const sorted: T[] = [];
  const entered = new Set<T>();
  const underWay = new Set<T>();
  // A stack of its own instead of recursion: a chain may be as long as the state.
  const path: { readonly item: T; readonly needs: readonly T[]; next: number }[] = [];
  const enter = (item: T): void => {
    entered.add(item);
    underWay.add(item);
    path.push({ item, needs: needsOf(item), next: 0 });
  };
  for (const start of items) {
    if (!entered.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      if (top.next === top.needs.length) {
        path.pop();
        underWay.delete(top.item);
        sorted.push(top.item);
        continue;
      }
      const need = top.needs[top.next++] as T;
      if (!entered.has(need)) enter(need);
      else if (underWay.has(need)) onCycle([...underWay].slice([...underWay].indexOf(need)));
    }
  }
  return sorted;
}
