/** What an item leads to: tells `enter` each of them. */
export type Next<T> = (item: T, enter: (item: T) => void) => void;

/**
 * The roots and everything that they lead to, one through the other, each once and lazily: who stops asking walks no
 * further. Breadth first; a cycle does no harm, and a chain may be as long as it likes.
 */
export function* walk<T>(roots: Iterable<T>, next: Next<T>): Generator<T, void> {
  const found = new Set(roots);
  const enter = (item: T): void => void found.add(item);
  // A set is iterated over what is added meanwhile as well.
  for (const item of found) {
    yield item;
    next(item, enter);
  }
}

/** The roots and everything that they lead to, one through the other. O(items + what leads on). */
export function closure<T>(roots: Iterable<T>, next: Next<T>): Set<T> {
  const found = new Set(roots);
  const enter = (item: T): void => void found.add(item);
  for (const item of found) next(item, enter);
  return found;
}

/**
 * Everything behind what it needs, otherwise in the order given: depth first, each item once. `onCycle` is told the
 * items of a cycle, the first of them needed by the last; without it the reference that closes the cycle counts for
 * nothing.
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
