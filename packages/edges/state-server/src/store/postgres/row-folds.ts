import type { StateText } from '@cairn/backends';
import { LONGEST_LEASE } from '@cairn/http-api';
import { UPDATE, readDocument } from '../../domain/fold.js';
import type { ReadEntry } from '../../domain/journal-acceptance.js';
import { leaseMs } from '../../domain/lease.js';
import { FoldBudget, LiveFold, MOST_FOLDED } from '../../domain/live-fold.js';
import type { Database } from './connections.js';

/** Fold of one update. It has the entries with every sequence id from `first` to `last`. */
interface RowFold {
  readonly live: LiveFold;
  first: number | undefined;
  last: number;
  /** Time of its beginning or its newest entry, in milliseconds since 1970. */
  touchedAt: number;
}

/**
 * States of running updates that began in this process, folded from the entries that it has stored. Other processes may
 * store entries of the same updates, so a fold counts only where {@link RowFolds.proven} finds that it has them all.
 * One whose entries do not follow each other is given up, since another process has those between.
 */
export class RowFolds {
  /** Those that were touched last come last. */
  readonly #folds = new Map<string, RowFold>();
  readonly #budget = new FoldBudget(MOST_FOLDED);
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Begins the fold of an update without entries, if there is room for its base. */
  begin(id: string, base: StateText): void {
    this.forget(id);
    this.#forgetIdle();
    const live = new LiveFold(base, () => readDocument(base, UPDATE), this.#budget);
    if (live.isKept) this.#touch(id, { live, first: undefined, last: 0, touchedAt: 0 });
  }

  /** Adds entries that this process has stored, after the transaction that did. */
  add(id: string, entries: readonly ReadEntry[]): void {
    const fold = this.#folds.get(id);
    if (fold === undefined || entries.length === 0) return;
    for (const { entry } of entries) {
      if (fold.first !== undefined && entry.sequenceId !== fold.last + 1) return this.forget(id);
      fold.first ??= entry.sequenceId;
      fold.last = entry.sequenceId;
    }
    fold.live.add(entries);
    if (fold.live.isKept) this.#touch(id, fold);
    else this.#folds.delete(id);
  }

  /**
   * Returns the fold of an update if the stored journal has its entries and no others: as many rows, from its first
   * sequence id to its last. Every entry of the fold is a row, and rows are never altered.
   */
  async proven(db: Database, id: string): Promise<LiveFold | undefined> {
    if (this.#folds.get(id)?.first === undefined) return undefined;
    const { rows } = await db.query<{ first: string | null; last: string | null; count: string }>(
      'select min(seq) as first, max(seq) as last, count(*) as count from cairn.journal where update_id = $1',
      [id],
    );
    const { first = 0, last, live } = this.#folds.get(id) ?? {};
    const [row] = rows;
    if (live === undefined || last === undefined || Number(row?.count) !== last - first + 1) return undefined;
    return Number(row?.first) === first && Number(row?.last) === last ? live : undefined;
  }

  forget(id: string): void {
    this.#folds.get(id)?.live.release();
    this.#folds.delete(id);
  }

  #touch(id: string, fold: RowFold): void {
    fold.touchedAt = this.#now().getTime();
    this.#folds.delete(id);
    this.#folds.set(id, fold);
  }

  /** Forgets folds that had no entry for as long as a lease: other processes may have their updates now. */
  #forgetIdle(): void {
    const since = this.#now().getTime() - leaseMs(LONGEST_LEASE);
    for (const [id, { touchedAt }] of this.#folds) {
      if (touchedAt > since) return;
      this.forget(id);
    }
  }
}
