import { eachReference } from './references.js';
import type { Referring } from './references.js';

/** References among entries. */
export interface EntryGraph<T, U extends string = string> {
  /** Returns the items that refer to the URN, each once, in the order in which they were given. */
  dependents(urn: U): ReadonlySet<T>;
}

/**
 * Makes the graph over a list of items. Computes nothing before the first question, which costs O(items + references);
 * all others cost O(1).
 */
export function entryGraph<T, U extends string>(
  items: Iterable<T>,
  entryOf: (item: T) => Referring<U>,
): EntryGraph<T, U> {
  let edges: ReadonlyMap<U, ReadonlySet<T>> | undefined;
  return {
    dependents(urn) {
      edges ??= dependentsByUrn(items, entryOf);
      return edges.get(urn) ?? NONE;
    },
  };
}

const NONE: ReadonlySet<never> = new Set();

function dependentsByUrn<T, U extends string>(
  items: Iterable<T>,
  entryOf: (item: T) => Referring<U>,
): ReadonlyMap<U, ReadonlySet<T>> {
  const edges = new Map<U, Set<T>>();
  for (const item of items) {
    eachReference(entryOf(item), (urn) => {
      const known = edges.get(urn);
      if (known === undefined) edges.set(urn, new Set([item]));
      else known.add(item);
    });
  }
  return edges;
}
