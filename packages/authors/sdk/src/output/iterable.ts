import { makeOutput } from './output.js';
import { gather } from './gather.js';
import type { Input, Output } from './brand.js';
import { output } from './combine.js';

type Pair<V> = Input<readonly [Input<string>, Input<V>]>;

/** Returns an object of the pairs that `selector` makes from a list's items. Of equal keys the last one counts. */
export function toObject<T, V>(
  items: Input<readonly Input<T>[]>,
  selector: (item: T) => Pair<V>,
): Output<Record<string, V>> {
  return pairs(items, selector, (all) => Object.fromEntries(all));
}

/** Does the same as {@link toObject}, with the list of all values of each key. */
export function groupBy<T, V>(
  items: Input<readonly Input<T>[]>,
  selector: (item: T) => Pair<V>,
): Output<Record<string, readonly V[]>> {
  return pairs(items, selector, (all) => {
    const groups = new Map<string, V[]>();
    for (const [key, value] of all) groups.set(key, [...(groups.get(key) ?? []), value]);
    return Object.fromEntries(groups);
  });
}

function pairs<T, V, R>(
  items: Input<readonly Input<T>[]>,
  selector: (item: T) => Pair<V>,
  build: (all: readonly (readonly [string, V])[]) => R,
): Output<R> {
  const list = output(items) as unknown as Output<readonly T[]>;
  return list.apply((known) =>
    makeOutput<readonly (readonly [string, V])[]>(gather(known.map(selector))).apply(build),
  ) as Output<R>;
}
