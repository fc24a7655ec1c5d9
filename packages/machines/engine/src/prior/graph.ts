import type { Urn } from '@cairn/addresses';
import { entryGraph } from '@cairn/state';
import type { EntryGraph } from '@cairn/state';
import type { PriorEntries } from './entries.js';
import type { Cell } from '../model/cell.js';

/** Graph of the references among the prior entries. */
export type PriorGraph = EntryGraph<Cell, Urn>;

/** Returns the graph over prior entries. Nothing is computed before the first question. */
export function priorGraph(prior: PriorEntries): PriorGraph {
  return entryGraph(prior.cells, (cell) => cell.entry);
}
