import type { Urn } from '@cairn/addresses';
import { BugError } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ResourceEntry, Snapshot } from '@cairn/state';
import type { Place, Slot } from '../model/slot.js';

/**
 * `at`: index among what was recorded; none for base entries. `turn`: when its step ended, counted from 1; 0 for what
 * no step touched.
 */
type MutableSlot = { -readonly [K in keyof Slot]: Slot[K] } & { at: number; turn: number };

/**
 * The snapshot as the journal would replay it right now, kept by the recorder: every mutation is O(1). Base entries sit
 * at their index until something moves or removes them; new ones follow in the order in which they were recorded
 * [STATE-11].
 */
export class LiveState {
  readonly base: readonly Slot[];
  readonly #slots = new Set<MutableSlot>();
  /** New entries as recorded; one that was recorded again stands at its last place. */
  readonly #recorded: MutableSlot[] = [];
  /** The one entry per URN that is not pending delete. */
  readonly #live = new Map<Urn, MutableSlot>();
  /** Entries that are pending delete. */
  readonly #leaving = new Map<Urn, Set<MutableSlot>>();
  /** Old URN to present URN of entries found through an alias. */
  readonly #renamed = new Map<Urn, Urn>();
  #turns = 0;

  /** `added`: entries in front of the base, which get their real place when the recorder has written them. */
  constructor(resources: readonly ResourceEntry[], added: readonly ResourceEntry[] = []) {
    this.base = [
      ...added.map((entry) => this.#hold(entry, { t: 'new', operationId: 0 })),
      ...resources.map((entry, index) => this.#hold(entry, { t: 'base', index })),
    ];
  }

  /** The entry that owns the URN now; follows one rename. */
  live(urn: Urn): Slot | undefined {
    const renamed = this.#renamed.get(urn);
    return this.#live.get(urn) ?? (renamed === undefined ? undefined : this.#live.get(renamed));
  }

  /** Entries of the URN that are pending delete. */
  leaving(urn: Urn): readonly Slot[] {
    return [...(this.#leaving.get(urn) ?? [])];
  }

  /** The entry that what refers to the URN needs before it: the owner, or else the first that is pending delete. */
  providing(urn: Urn): Slot | undefined {
    const owner = this.live(urn);
    const leaving = owner === undefined ? this.#leaving.get(urn) : undefined;
    if (leaving === undefined) return owner;
    let first: MutableSlot | undefined;
    for (const slot of leaving) if (first === undefined || this.precedes(slot, first)) first = slot;
    return first;
  }

  /** Whether one entry stands before the other in snapshot order. O(1). */
  precedes(first: Slot, second: Slot): boolean {
    return this.#order(first) < this.#order(second);
  }

  /** Present URN of an entry that was found under another one. */
  presentUrn(urn: Urn): Urn {
    return this.#renamed.get(urn) ?? urn;
  }

  /** A new entry at the end of the new ones. */
  add(entry: ResourceEntry, operationId: number): Slot {
    return this.#hold(entry, { t: 'new', operationId });
  }

  /** The entry leaves its place and goes to the end of the new ones with a changed record. */
  move(slot: Slot, entry: ResourceEntry, operationId: number): void {
    const own = this.#own(slot);
    this.#slots.delete(own);
    this.#slots.add(own);
    own.place = { t: 'new', operationId };
    own.at = this.#recorded.push(own) - 1;
    own.turn = this.#turns += 1;
    own.unwritten = false;
    this.#set(own, entry);
  }

  /** Runs something that moves the entry for the sake of others: its turn stays the one that it had. */
  keepingTurn(slot: Slot, move: () => void): void {
    const own = this.#own(slot);
    const { turn } = own;
    move();
    if (turn > 0) own.turn = turn;
  }

  /** An entry that stays where it stands has had its step. */
  endTurn(slot: Slot): void {
    const own = this.#own(slot);
    if (own.turn === 0) own.turn = this.#turns += 1;
  }

  /** The record changes where it stands. `unwritten`: the journal does not have it yet. */
  set(slot: Slot, entry: ResourceEntry, unwritten: boolean): void {
    const own = this.#own(slot);
    own.unwritten = unwritten;
    this.#set(own, entry);
  }

  /** The object of a create-first replacement must still go. */
  markDelete(slot: Slot): void {
    const own = this.#own(slot);
    if (this.#live.get(own.entry.urn) === own) this.#live.delete(own.entry.urn);
    own.entry = withEntry(own.entry, { delete: true });
    this.#noteLeaving(own);
  }

  /** Deleted first and not recreated yet. */
  markPendingReplacement(slot: Slot): void {
    const own = this.#own(slot);
    own.entry = withEntry(own.entry, { pendingReplacement: true });
  }

  remove(slot: Slot): void {
    const own = this.#own(slot);
    this.#slots.delete(own);
    own.gone = true;
    this.#leaving.get(own.entry.urn)?.delete(own);
    if (this.#live.get(own.entry.urn) === own) this.#live.delete(own.entry.urn);
  }

  /** Entries whose writing was put off, in order of registration. */
  *unwritten(): Iterable<Slot> {
    for (const slot of this.#slots) if (slot.unwritten) yield slot;
  }

  /** New entries in the order in which they were recorded. O(V). */
  *fresh(): Iterable<Slot> {
    for (const slot of this.#slots) if (slot.place.t === 'new') yield slot;
  }

  /** New entries that were recorded after this new one, in order. O(what was recorded since). */
  *freshAfter(slot: Slot): Iterable<Slot> {
    for (let at = this.#own(slot).at + 1; at < this.#recorded.length; at += 1) {
      const later = this.#recorded[at];
      if (later !== undefined && later.at === at && !later.gone) yield later;
    }
  }

  /** What is there now in snapshot order: new ones as recorded, then base ones by index. O(V). */
  slots(): readonly Slot[] {
    const slots: Slot[] = [...this.fresh()];
    for (const slot of this.base) if (!slot.gone && slot.place.t === 'base') slots.push(slot);
    return slots;
  }

  /**
   * The order in which a finished operation leaves the entries [STATE-11] [STATE-8]: those whose steps ended in it, in
   * the order of their ends, also those that were not written; then the others as they were. As positions in
   * {@link slots}; undefined when that is their order already. O(V log V).
   */
  order(): readonly number[] | undefined {
    const turns = this.slots().map((slot) => (slot as MutableSlot).turn || Infinity);
    const turnOf = (position: number): number => turns[position] ?? Infinity;
    const order = [...turns.keys()].sort((a, b) => (turnOf(a) === turnOf(b) ? a - b : turnOf(a) - turnOf(b)));
    return order.every((position, index) => position === index) ? undefined : order;
  }

  /** Entries of {@link slots}. O(V). */
  entries(): readonly ResourceEntry[] {
    return this.slots().map((slot) => slot.entry);
  }

  /** {@link entries} with the rest of the snapshot the operation started from. */
  snapshot(base: Snapshot): Snapshot {
    return { ...base, resources: this.entries() };
  }

  #hold(entry: ResourceEntry, place: Place): MutableSlot {
    const slot: MutableSlot = { entry, place, gone: false, unwritten: false, at: -1, turn: 0 };
    if (place.t === 'new') {
      slot.at = this.#recorded.push(slot) - 1;
      slot.turn = this.#turns += 1;
    }
    this.#slots.add(slot);
    if (!entry.delete) this.#live.set(entry.urn, slot);
    else this.#noteLeaving(slot);
    for (const alias of entry.aliases) this.#renamed.set(alias, entry.urn);
    return slot;
  }

  #set(own: MutableSlot, entry: ResourceEntry): void {
    const from = own.entry.urn;
    own.entry = entry;
    if (entry.delete) return;
    this.#leaving.get(from)?.delete(own);
    if (from !== entry.urn) {
      if (this.#live.get(from) === own) this.#live.delete(from);
      this.#renamed.set(from, entry.urn);
      this.#renamed.delete(entry.urn);
    }
    this.#live.set(entry.urn, own);
  }

  #noteLeaving(own: MutableSlot): void {
    const { urn } = own.entry;
    const known = this.#leaving.get(urn);
    if (known === undefined) this.#leaving.set(urn, new Set([own]));
    else known.add(own);
  }

  /**
   * New entries by the order in which they were recorded, then base ones by index; `added` ones stand in front of the
   * base.
   */
  #order(slot: Slot): number {
    const { place, at } = this.#own(slot);
    return place.t === 'new' ? at : AFTER_NEW + place.index;
  }

  #own(slot: Slot): MutableSlot {
    const own = slot as MutableSlot;
    if (!this.#slots.has(own)) throw new BugError(`entry of ${slot.entry.urn} has left the snapshot already`);
    return own;
  }
}

/** More than what one operation records. */
const AFTER_NEW = 2 ** 40;
