import type { Urn } from '@cairn/addresses';
import type { Slot } from '../model/slot.js';

/** The entries an operation starts from, by URN. Built once in O(V); never changes during the run. */
export interface PriorEntries {
  /** In snapshot order, pending deletes included. */
  readonly slots: readonly Slot[];
  /** Position of a slot in snapshot order. */
  position(slot: Slot): number;
  /** The one entry of a URN that is not pending delete. */
  live(urn: Urn): Slot | undefined;
  /** Every entry of a URN, pending deletes included. */
  all(urn: Urn): readonly Slot[];
}

/** Indexes the slots of a base snapshot. */
export function priorEntries(slots: readonly Slot[]): PriorEntries {
  const live = new Map<Urn, Slot>();
  const all = new Map<Urn, Slot[]>();
  const positions = new Map<Slot, number>();
  slots.forEach((slot, position) => {
    const { urn } = slot.entry;
    positions.set(slot, position);
    const copies = all.get(urn);
    if (copies === undefined) all.set(urn, [slot]);
    else copies.push(slot);
    if (!slot.entry.delete) live.set(urn, slot);
  });
  return {
    slots,
    position: (slot) => positions.get(slot) ?? -1,
    live: (urn) => live.get(urn),
    all: (urn) => all.get(urn) ?? [],
  };
}
