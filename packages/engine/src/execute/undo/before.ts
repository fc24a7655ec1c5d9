import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { isSameObject } from '../../decide/undo.js';

/** The entries that a rollback leads back to, by URN. Built once in O(V+E), on first use. */
export class Before {
  readonly #live = new Map<Urn, ResourceEntry>();
  /** Places in the order of the snapshot. */
  readonly #ranks = new Map<Urn, number>();
  /** Entries that were pending delete, by URN. */
  readonly #leaving = new Map<Urn, ResourceEntry[]>();
  /** Entries with a property that comes from the URN. */
  readonly #users = new Map<Urn, Set<ResourceEntry>>();

  /**
   * `entries` in snapshot order. `renamed`: URNs that the change has given to entries, with what these were called
   * before; absent: none but those that entries of this run know themselves.
   */
  constructor(
    entries: readonly ResourceEntry[],
    private readonly renamed: ReadonlyMap<Urn, Urn> = new Map(),
  ) {
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

  /** A look has found no object: there was nothing before. */
  vanished(urn: Urn): void {
    this.#live.delete(urn);
  }

  /** The entry that a URN stood for; `aliases`: what it may have been called. */
  entry(urn: Urn, aliases: readonly Urn[] = []): ResourceEntry | undefined {
    const own = this.#live.get(urn);
    if (own !== undefined) return own;
    const former = this.renamed.get(urn) ?? aliases.find((alias) => this.#live.has(alias));
    return former === undefined ? undefined : this.#live.get(former);
  }

  /**
   * Place of a URN in the order of the snapshot, where what an entry refers to has a lower one; the highest when there
   * was none.
   */
  rank(urn: Urn): number {
    return this.#ranks.get(urn) ?? this.#ranks.size;
  }

  /** Whether the very object of an entry was pending delete already. */
  wasLeaving(entry: ResourceEntry): boolean {
    return (this.#leaving.get(entry.urn) ?? []).some((left) => isSameObject(left, entry));
  }

  /** Entries that took values from a resource. */
  usersOf(urn: Urn): Iterable<ResourceEntry> {
    return this.#users.get(urn) ?? [];
  }

  /** Every entry that was not pending delete, in snapshot order. */
  entries(): Iterable<ResourceEntry> {
    return this.#live.values();
  }
}
