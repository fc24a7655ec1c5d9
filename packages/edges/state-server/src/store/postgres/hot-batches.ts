import type { StackId } from '@cairn/backends';
import { acceptParts, noParts } from '../../domain/batch-acceptance.js';
import { addsResource } from '../../domain/journal-acceptance.js';
import type { ReadEntry } from '../../domain/journal-acceptance.js';
import { Refusal } from '../../domain/refusal.js';
import { stackKey } from '../../domain/stack-key.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { Database } from './connections.js';
import { joinedTexts } from './joined-texts.js';
import type { WaitingBatch } from './waiting-batch.js';

/** Facts about an update at one version of its row. They are worth nothing once the row has another version. */
interface KnownUpdate {
  /** Version of the row: the number of the transaction that wrote it. */
  readonly version: string;
  readonly stack: StackId;
  readonly record: UpdateRecord;
  readonly baseSize: number | undefined;
}

/** Updates that are remembered. The oldest are forgotten first. */
const MOST_KNOWN = 10_000;

/** Batch that only adds entries, with these. */
interface HotBatch {
  readonly batch: WaitingBatch;
  readonly known: KnownUpdate;
  readonly entries: readonly ReadEntry[];
}

/**
 * Stores batches that only add entries to updates whose rows are known, in one statement: the database compares the
 * version of each row while it locks it, so that what is remembered decides nothing by itself. Whatever is not plain is
 * left to the transaction that reads everything: a first batch, records, references to operations of earlier batches,
 * repeats, refusals.
 */
export class HotBatches {
  readonly #known = new Map<string, KnownUpdate>();

  /** Remembers an update as a transaction that was stored has left it. */
  remember(id: string, update: KnownUpdate): void {
    this.#known.delete(id);
    this.#known.set(id, update);
    if (this.#known.size <= MOST_KNOWN) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest as string);
  }

  /** Stores what it can of some batches, and returns these. */
  async store(db: Database, batches: readonly WaitingBatch[]): Promise<ReadonlySet<WaitingBatch>> {
    const hot = new Map<string, HotBatch>();
    for (const batch of batches) {
      const found = hot.has(batch.update.id) ? undefined : this.#hotBatch(batch);
      if (found !== undefined) hot.set(batch.update.id, found);
    }
    if (hot.size === 0) return new Set();
    const stored = new Set<WaitingBatch>();
    for (const id of await insertHot(db, [...hot.values()])) {
      const { batch } = hot.get(id) as HotBatch;
      stored.add(batch);
      hot.delete(id);
    }
    for (const id of hot.keys()) this.#known.delete(id);
    return stored;
  }

  #hotBatch(batch: WaitingBatch): HotBatch | undefined {
    const { update, parts } = batch;
    const known = this.#known.get(update.id);
    if (known === undefined || 'refused' in parts || stackKey(known.stack) !== stackKey(update.stack))
      return undefined;
    const { entries, records } = parts.value;
    if (records.length > 0 || entries.length === 0 || entries.some(replacesFacts)) return undefined;
    try {
      const record = batch.admit({ record: known.record, lapsed: false });
      const facts = noParts(known.baseSize ?? 0, { keepsTexts: true });
      Object.assign(facts.journal, { baseSize: known.baseSize, begun: true });
      return { batch, known, entries: acceptParts(facts, parts.value, record).entries };
    } catch (refused) {
      if (refused instanceof Refusal) return undefined;
      throw refused;
    }
  }
}

/** True for an entry that changes the facts about its update. */
function replacesFacts({ entry }: ReadEntry): boolean {
  return entry.kind === 'write' || entry.kind === 'rebuilt-base-state';
}

/** Stores entries of updates whose rows are as known, and that have none of them yet. Returns the ids of these. */
async function insertHot(db: Database, hot: readonly HotBatch[]): Promise<readonly string[]> {
  const rows = hot.flatMap(({ batch, entries }) => entries.map((read) => ({ id: batch.update.id, read })));
  const stored = await db.query<{ id: string }>(
    `with given as materialized (
       select * from unnest($3::uuid[], $4::bigint[], $5::bigint[], string_to_array($6, E'\\x01'))
         as g(id, seq, adds, entry)
     ), held as materialized (
       select u.id from cairn.updates u
         join unnest($1::uuid[], $2::text[]) as k(id, version) on u.id = k.id and u.xmin::text = k.version
        where u.status = 'running' and u.lease_until > clock_timestamp()
        order by u.id for update of u skip locked
     ), fresh as materialized (
       select held.id from held
        where not exists (
          select from given g join cairn.journal j on j.update_id = g.id and j.seq = g.seq where g.id = held.id
        )
     ), stored as (
       insert into cairn.journal
       select g.id, g.seq, g.adds, g.entry from given g join fresh on fresh.id = g.id
     )
     select id from fresh`,
    [
      hot.map(({ batch }) => batch.update.id),
      hot.map(({ known }) => known.version),
      rows.map(({ id }) => id),
      rows.map(({ read }) => read.entry.sequenceId),
      rows.map(({ read }) => (addsResource(read) ? read.entry.operationId : null)),
      joinedTexts(rows.map(({ read }) => read.text)),
    ],
  );
  return stored.rows.map(({ id }) => id);
}
