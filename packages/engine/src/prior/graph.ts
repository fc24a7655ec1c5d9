import type { Urn } from '@cairn/addresses';
import { entryGraph } from '@cairn/state';
import type { EntryGraph } from '@cairn/state';
import type { PriorEntries } from './entries.js';
import type { Slot } from '../model/slot.js';

/** Who refers to whom among the prior entries. */
export type PriorGraph = EntryGraph<Slot, Urn>;

/** The graph over prior entries; nothing is computed before the first question. */
export function priorGraph(prior: PriorEntries): PriorGraph {
  return entryGraph(prior.slots, (slot) => slot.entry);
}
