import type { Urn } from '@cairn/addresses';
import type { PriorEntries } from './entries.js';
import { eachReference } from './references.js';
import type { ReferenceKind } from './references.js';
import type { Slot } from '../model/slot.js';

/** Who refers to whom among the prior entries. Made on first use in O(V+E). */
export interface PriorGraph {
  /** Entries that refer to the URN in one of the ways, in snapshot order, each once. */
  dependents(urn: Urn): ReadonlyMap<Slot, ReadonlySet<ReferenceKind>>;
}

const none: ReadonlyMap<Slot, ReadonlySet<ReferenceKind>> = new Map();

/** The graph over prior entries; nothing is computed before the first question. */
export function priorGraph(prior: PriorEntries): PriorGraph {
  let edges: Map<Urn, Map<Slot, Set<ReferenceKind>>> | undefined;
  return {
    dependents(urn) {
      edges ??= reverse(prior.slots);
      return edges.get(urn) ?? none;
    },
  };
}

function reverse(slots: readonly Slot[]): Map<Urn, Map<Slot, Set<ReferenceKind>>> {
  const edges = new Map<Urn, Map<Slot, Set<ReferenceKind>>>();
  for (const slot of slots) {
    eachReference(slot.entry, (urn, kind) => {
      let dependents = edges.get(urn);
      if (dependents === undefined) edges.set(urn, (dependents = new Map()));
      const kinds = dependents.get(slot);
      if (kinds === undefined) dependents.set(slot, new Set([kind]));
      else kinds.add(kind);
    });
  }
  return edges;
}
