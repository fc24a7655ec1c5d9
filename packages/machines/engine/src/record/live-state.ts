import type { Urn } from '@cairn/addresses';
import { BugError } from '@cairn/diagnostics';
import { withEntry } from '@cairn/state';
import type { ReferenceKind, ResourceEntry, Snapshot } from '@cairn/state';
import { providerNamed } from '../model/cell.js';
import type { StatePlace, Cell } from '../model/cell.js';

/**
 * `at`: index among the recorded entries; -1 for base entries. `turn`: position of its step's end, counted from 1; 0
 * for entries that no step touched.
 */
type MutableCell = { -readonly [K in keyof Cell]: Cell[K] } & { at: number; turn: number };

/**
 * The snapshot as a replay of the journal would give it at this moment. The recorder keeps it; every mutation is O(1).
 * Base entries keep their index until something moves or removes them. New ones follow in the order in which they were
 * recorded [STATE-11].
 */
export class LiveState {
  readonly base: readonly Cell[];
  readonly #cells = new Set<MutableCell>();
  /** New entries as recorded. An entry recorded again counts at its last place. */
  readonly #recorded: MutableCell[] = [];
  /** The one entry per URN that is not pending delete. */
  readonly #live = new Map<Urn, MutableCell>();
  /** Entries that are pending delete. */
  readonly #leaving = new Map<Urn, Set<MutableCell>>();
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

  /** Returns the entry that owns the URN at this moment; follows one rename. */
  live(urn: Urn): Cell | undefined {
    const renamed = this.#renamed.get(urn);
    return this.#live.get(urn) ?? (renamed === undefined ? undefined : this.#live.get(renamed));
  }

  /** Returns the entries of the URN that are pending delete. */
  leaving(urn: Urn): readonly Cell[] {
    return [...(this.#leaving.get(urn) ?? [])];
  }

  /**
   * Returns the entry that must precede a reference to the URN: the provider that it names, else the owner, or else the
   * first that is pending delete. `kind` and `detail` are those of the reference.
   */
  providing(urn: Urn, kind: ReferenceKind, detail?: string): Cell | undefined {
    const owner = this.live(urn);
    const leaving = this.#leaving.get(urn);
    if (leaving === undefined) return owner;
    const entitled = providerNamed(leaving, kind, detail) ?? owner;
    if (entitled !== undefined) return entitled;
    let first: MutableCell | undefined;
    for (const cell of leaving) if (first === undefined || this.precedes(cell, first)) first = cell;
    return first;
  }

  /** Tells whether one entry comes before the other in snapshot order. O(1). */
  precedes(first: Cell, second: Cell): boolean {
    return this.#order(first) < this.#order(second);
  }

  /** True if the entries are those of the base: none has left, moved, come or been renamed. O(V). */
  get isBase(): boolean {
    const { base } = this;
    const stays = (cell: Cell) => !cell.gone && cell.place.t === 'base';
    return !this.hasRenamed && this.#cells.size === base.length && base.every(stays);
  }

  /** True if an entry has been found under another URN than its present one. */
  get hasRenamed(): boolean {
    return this.#renamed.size > 0;
  }

  /** Returns the present URN of an entry that was found under another one. */
  presentUrn(urn: Urn): Urn {
    return this.#renamed.get(urn) ?? urn;
  }

  /** Adds a new entry at the end of the new ones. */
  add(entry: ResourceEntry, operationId: number): Cell {
    return this.#hold(entry, { t: 'new', operationId });
  }

  /** Moves the entry with a changed record to the end of the new ones. */
  move(cell: Cell, entry: ResourceEntry, operationId: number): void {
    const own = this.#own(cell);
    this.#cells.delete(own);
    this.#cells.add(own);
    own.place = { t: 'new', operationId };
    own.at = this.#recorded.push(own) - 1;
    own.turn = this.#turns += 1;
    own.unwritten = false;
    this.#set(own, entry);
  }

  /** Runs a function that moves the entry for the sake of others. Its turn remains. */
  keepingTurn(cell: Cell, move: () => void): void {
    const own = this.#own(cell);
    const { turn } = own;
    move();
    if (turn > 0) own.turn = turn;
  }

  /** Records the turn of an entry that keeps its place. */
  endTurn(cell: Cell): void {
    const own = this.#own(cell);
    if (own.turn === 0) own.turn = this.#turns += 1;
  }

  /** Changes the record in its place. `unwritten`: the journal does not have it yet. */
  set(cell: Cell, entry: ResourceEntry, unwritten: boolean): void {
    const own = this.#own(cell);
    own.unwritten = unwritten;
    this.#set(own, entry);
  }

  /** Marks the object of a create-first replacement: it must still be deleted. */
  markDelete(cell: Cell): void {
    const own = this.#own(cell);
    if (this.#live.get(own.entry.urn) === own) this.#live.delete(own.entry.urn);
    own.entry = withEntry(own.entry, { delete: true });
    this.#noteLeaving(own);
  }

  /** Marks an entry that was deleted first and is not recreated yet. */
  markPendingReplacement(cell: Cell): void {
    const own = this.#own(cell);
    own.entry = withEntry(own.entry, { pendingReplacement: true });
  }

  remove(cell: Cell): void {
    const own = this.#own(cell);
    this.#cells.delete(own);
    own.gone = true;
    this.#leaving.get(own.entry.urn)?.delete(own);
    if (this.#live.get(own.entry.urn) === own) this.#live.delete(own.entry.urn);
  }

  /** Lists the entries whose writing was put off, in order of registration. */
  *unwritten(): Iterable<Cell> {
    for (const cell of this.#cells) if (cell.unwritten) yield cell;
  }

  /** Lists the new entries in the order in which they were recorded. O(V). */
  *fresh(): Iterable<Cell> {
    for (const cell of this.#cells) if (cell.place.t === 'new') yield cell;
  }

  /** Lists the new entries recorded after this new one, in order. O(number of entries recorded since). */
  *freshAfter(cell: Cell): Iterable<Cell> {
    for (let at = this.#own(cell).at + 1; at < this.#recorded.length; at += 1) {
      const later = this.#recorded[at];
      if (later !== undefined && later.at === at && !later.gone) yield later;
    }
  }

  /** Returns the present cells in snapshot order: new ones as recorded, then base ones by index. O(V). */
  cells(): readonly Cell[] {
    const cells: Cell[] = [...this.fresh()];
    for (const cell of this.base) if (!cell.gone && cell.place.t === 'base') cells.push(cell);
    return cells;
  }

  /**
   * Returns the order in which a finished operation leaves the entries [STATE-11] [STATE-8], as positions in {@link
   * cells}. Entries whose steps ended in it come first, in the order of their ends, even if they were not written. The
   * others follow in their previous order. Returns `undefined` if that is the present order. O(V log V).
   */
  order(): readonly number[] | undefined {
    const turns = this.cells().map((cell) => (cell as MutableCell).turn || Infinity);
    const turnOf = (position: number): number => turns[position] ?? Infinity;
    const order = [...turns.keys()].sort((a, b) => (turnOf(a) === turnOf(b) ? a - b : turnOf(a) - turnOf(b)));
    return order.every((position, index) => position === index) ? undefined : order;
  }

  /** Returns the entries of {@link cells}. O(V). */
  entries(): readonly ResourceEntry[] {
    return this.cells().map((cell) => cell.entry);
  }

  /** Returns {@link entries} with the rest of the snapshot that the operation started from. */
  snapshot(base: Snapshot): Snapshot {
    return { ...base, resources: this.entries() };
  }

  #hold(entry: ResourceEntry, place: StatePlace): MutableCell {
    const cell: MutableCell = { entry, place, gone: false, unwritten: false, at: -1, turn: 0 };
    if (place.t === 'new') {
      cell.at = this.#recorded.push(cell) - 1;
      cell.turn = this.#turns += 1;
    }
    this.#cells.add(cell);
    if (!entry.delete) this.#live.set(entry.urn, cell);
    else this.#noteLeaving(cell);
    if (entry.aliases.length > 0) for (const alias of entry.aliases) this.#renamed.set(alias, entry.urn);
    return cell;
  }

  #set(own: MutableCell, entry: ResourceEntry): void {
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

  #noteLeaving(own: MutableCell): void {
    const { urn } = own.entry;
    const known = this.#leaving.get(urn);
    if (known === undefined) this.#leaving.set(urn, new Set([own]));
    else known.add(own);
  }

  /**
   * Returns a sort key: new entries in the order in which they were recorded, then base ones by index. `added` entries
   * come in front of the base.
   */
  #order(cell: Cell): number {
    const { place, at } = this.#own(cell);
    return place.t === 'new' ? at : AFTER_NEW + place.index;
  }

  #own(cell: Cell): MutableCell {
    const own = cell as MutableCell;
    if (!this.#cells.has(own)) throw new BugError(`entry of ${cell.entry.urn} has left the snapshot already`);
    return own;
  }
}

/** More than one operation records. */
const AFTER_NEW = 2 ** 40;
