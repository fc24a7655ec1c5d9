import type { Urn } from '@cairn/addresses';
import { entryGraph } from '@cairn/state';
import type { EntryGraph } from '@cairn/state';
import type { PriorEntries } from './entries.js';
import type { Cell } from '../model/cell.js';

/** Who refers to whom among the prior entries. */
export type PriorGraph = EntryGraph<Cell, Urn>;

/** The graph over prior entries; nothing is computed before the first question. */
export function priorGraph(prior: PriorEntries): PriorGraph {
  return entryGraph(prior.cells, (cell) => cell.entry);
}
