import { eachReference } from './references.js';
import type { Referring } from './references.js';

/** Who refers to whom among entries. */
export interface EntryGraph<T, U extends string = string> {
  /** The items that refer to the URN, in the order in which they were given, each once. */
  dependents(urn: U): ReadonlySet<T>;
}

/**
 * The graph over a list of items. Nothing is computed before the first question, which costs O(items + references); all
 * others O(1).
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
