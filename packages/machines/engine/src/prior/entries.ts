import type { Urn } from '@cairn/addresses';
import type { Cell } from '../model/cell.js';

/** The entries an operation starts from, by URN. Built once in O(V); never changes during the run. */
export interface PriorEntries {
  /** All cells in snapshot order, including pending deletes. */
  readonly cells: readonly Cell[];
  /** Returns the position of a cell in snapshot order. */
  position(cell: Cell): number;
  /** Returns the one entry of a URN that is not pending delete. */
  live(urn: Urn): Cell | undefined;
  /** Returns every entry of a URN, including pending deletes. */
  all(urn: Urn): readonly Cell[];
}

/** Indexes the cells of a base snapshot. */
export function priorEntries(cells: readonly Cell[]): PriorEntries {
  const live = new Map<Urn, Cell>();
  /** A list only where a URN has several entries, because most have one. */
  const all = new Map<Urn, Cell | Cell[]>();
  const positions = new Map<Cell, number>();
  cells.forEach((cell, position) => {
    const { urn } = cell.entry;
    positions.set(cell, position);
    const copies = all.get(urn);
    if (copies === undefined) all.set(urn, cell);
    else if (Array.isArray(copies)) copies.push(cell);
    else all.set(urn, [copies, cell]);
    if (!cell.entry.delete) live.set(urn, cell);
  });
  return {
    cells,
    position: (cell) => positions.get(cell) ?? -1,
    live: (urn) => live.get(urn),
    all: (urn) => {
      const found = all.get(urn);
      return found === undefined ? NONE : Array.isArray(found) ? found : [found];
    },
  };
}

const NONE: readonly Cell[] = [];
