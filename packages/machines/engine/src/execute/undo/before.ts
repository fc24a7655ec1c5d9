import type { Urn } from '@cairn/addresses';
import { eachReference, withEntry } from '@cairn/state';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../../decide/undo.js';
import { withKnownReferences } from '../../prior/rebuild.js';

/** Entries to which a rollback leads back, by URN. Built once in O(V+E), on first use. */
export class Before {
  readonly #live = new Map<Urn, ResourceEntry>();
  /** Places in the order of the snapshot. */
  readonly #ranks = new Map<Urn, number>();
  /** Entries that were pending delete, by URN. */
  readonly #leaving = new Map<Urn, ResourceEntry[]>();
  /** Entries with a property that comes from the URN. */
  readonly #users = new Map<Urn, Set<ResourceEntry>>();
  /** URNs of entries by their references. Built on first use. */
  #referrers: Map<Urn, Set<Urn>> | undefined;

  /**
   * `entries` are in snapshot order. `renamed` contains new URNs that the change has given to entries, with their
   * former ones. By default only the entries of this run provide former URNs.
   */
  readonly #renamed: ReadonlyMap<Urn, Urn>;

  constructor(entries: readonly ResourceEntry[], renamed: ReadonlyMap<Urn, Urn> = new Map()) {
    this.#renamed = renamed;

    for (const entry of entries) {
      if (entry.delete) {
        this.#leaving.set(entry.urn, [...(this.#leaving.get(entry.urn) ?? []), entry]);
        continue;
      }
      this.#live.set(entry.urn, entry);
      this.#ranks.set(entry.urn, this.#ranks.size);
      for (const key of Object.keys(entry.propertyDependencies)) {
        for (const urn of entry.propertyDependencies[key] ?? []) {
          const users = this.#users.get(urn);
          if (users === undefined) this.#users.set(urn, new Set([entry]));
          else users.add(entry);
        }
      }
    }
  }

  /** Removes a URN after a look-up found no object. The entry did not exist before, and nothing referred to it. */
  vanished(urn: Urn): void {
    const gone = this.#live.get(urn);
    if (gone === undefined) return;
    this.#live.delete(urn);
    for (const referrer of this.#referrersOf(urn)) {
      const entry = this.#live.get(referrer);
      if (entry === undefined) continue;
      const rest = withKnownReferences(entry, (needed) => needed !== urn);
      const hasLostParent = rest.parent !== entry.parent;
      this.#live.set(referrer, hasLostParent ? withEntry(rest, { parent: gone.parent }) : rest);
      if (hasLostParent && gone.parent !== undefined) this.#refers(referrer, gone.parent);
    }
  }

  #referrersOf(urn: Urn): ReadonlySet<Urn> {
    if (this.#referrers === undefined) {
      this.#referrers = new Map();
      for (const entry of this.#live.values())
        eachReference(entry, (needed) => this.#refers(entry.urn, needed));
    }
    return this.#referrers.get(urn) ?? new Set();
  }

  #refers(referrer: Urn, urn: Urn): void {
    const known = this.#referrers?.get(urn);
    if (known === undefined) this.#referrers?.set(urn, new Set([referrer]));
    else known.add(referrer);
  }

  /** Returns the entry that a URN represented. `aliases` are its possible former URNs. */
  entry(urn: Urn, aliases: readonly Urn[] = []): ResourceEntry | undefined {
    const own = this.#live.get(urn);
    if (own !== undefined) return own;
    const former = this.#renamed.get(urn) ?? aliases.find((alias) => this.#live.has(alias));
    return former === undefined ? undefined : this.#live.get(former);
  }

  /**
   * Returns the rank of a URN in the order of the snapshot, in which references have lower ranks. URNs without an entry
   * have the highest.
   */
  rank(urn: Urn): number {
    return this.#ranks.get(urn) ?? this.#ranks.size;
  }

  /** Returns true if this object of an entry was already pending delete. */
  wasLeaving(entry: ResourceEntry): boolean {
    return (this.#leaving.get(entry.urn) ?? []).some((left) => isSameObject(left, entry));
  }

  /** Returns entries that took values from a resource. */
  usersOf(urn: Urn): Iterable<ResourceEntry> {
    return this.#users.get(urn) ?? [];
  }

  /** Returns every entry that was not pending delete, in snapshot order. */
  entries(): Iterable<ResourceEntry> {
    return this.#live.values();
  }
}
