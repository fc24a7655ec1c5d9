import type { StackId } from '@cairn/backends';
import { acceptParts, noParts } from '../../domain/batch-acceptance.js';
import { addsResource } from '../../domain/journal-acceptance.js';
import type { ReadParts } from '../../domain/batch-acceptance.js';
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
  /** Number of stored records of its change. */
  readonly recorded: number;
}

/** Updates that are remembered. The oldest are forgotten first. */
const MOST_KNOWN = 10_000;

/** Batch that only adds entries and records, with these. */
interface HotBatch extends ReadParts {
  readonly batch: WaitingBatch;
  readonly known: KnownUpdate;
}

/**
 * Stores batches that only add entries and records to updates whose rows are known, in one statement: the database
 * compares the version of each row while it locks it, so that what is remembered decides nothing by itself. Whatever is
 * not plain is left to the transaction that reads everything: a first batch, references to operations of earlier
 * batches, repeats, refusals.
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

  /** Stores what it can of some batches, and returns these with the entries that were stored. */
  async store(
    db: Database,
    batches: readonly WaitingBatch[],
  ): Promise<ReadonlyMap<WaitingBatch, readonly ReadEntry[]>> {
    const hot = new Map<string, HotBatch>();
    for (const batch of batches) {
      const found = hot.has(batch.update.id) ? undefined : this.#hotBatch(batch);
      if (found !== undefined) hot.set(batch.update.id, found);
    }
    const stored = new Map<WaitingBatch, readonly ReadEntry[]>();
    if (hot.size === 0) return stored;
    for (const { id, version } of await insertHot(db, [...hot.values()])) {
      const { batch, known, entries, records } = hot.get(id) as HotBatch;
      stored.set(batch, entries);
      hot.delete(id);
      if (version === null) continue;
      this.remember(id, { ...known, version, recorded: known.recorded + records.length });
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
    if (entries.length + records.length === 0 || entries.some(replacesFacts)) return undefined;
    try {
      const record = batch.admit({ record: known.record, lapsed: false });
      const facts = noParts(known.baseSize ?? 0, { keepsTexts: true });
      Object.assign(facts.journal, { baseSize: known.baseSize, begun: true });
      facts.change.recorded = known.recorded;
      return { batch, known, ...acceptParts(facts, parts.value, record) };
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

/**
 * Stores entries and records of updates whose rows are as known, and that have none of the entries yet. Returns the ids
 * of these, each with the new version of its row if that has changed.
 */
async function insertHot(
  db: Database,
  hot: readonly HotBatch[],
): Promise<readonly { readonly id: string; readonly version: string | null }[]> {
  const rows = hot.flatMap(({ batch, entries }) => entries.map((read) => ({ id: batch.update.id, read })));
  const records = hot.flatMap(({ batch, records: of }) => of.map((read) => ({ id: batch.update.id, read })));
  const stored = await db.query<{ id: string; version: string | null }>(
    `with given as materialized (
       select * from unnest($3::uuid[], $4::bigint[], $5::bigint[], string_to_array($6, E'\\x01'))
         as g(id, seq, adds, entry)
     ), given_records as materialized (
       select * from unnest($7::uuid[], $8::bigint[], string_to_array($9, E'\\x01')) as r(id, seq, record)
     ), held as materialized (
       select u.id from cairn.updates u
         join unnest($1::uuid[], $2::text[]) as k(id, version) on u.id = k.id and u.xmin::text = k.version
        where u.status = 'running' and u.lease_until > clock_timestamp()
        order by u.id for update of u skip locked
     ), repeated as materialized (
       select distinct g.id from given g join cairn.journal j on j.update_id = g.id and j.seq = g.seq
     ), fresh as materialized (
       select id from held except select id from repeated
     ), stored as (
       insert into cairn.journal
       select g.id, g.seq, g.adds, g.entry from given g join fresh on fresh.id = g.id
     ), noted as (
       insert into cairn.change_records
       select r.id, r.seq, r.record from given_records r join fresh on fresh.id = r.id
     ), counted as (
       update cairn.updates u set recorded = u.recorded + r.count
         from (select id, count(*) as count from given_records group by id) r join fresh on fresh.id = r.id
        where u.id = r.id returning u.id, u.xmin::text as version
     )
     select fresh.id, counted.version from fresh left join counted on counted.id = fresh.id`,
    [
      hot.map(({ batch }) => batch.update.id),
      hot.map(({ known }) => known.version),
      rows.map(({ id }) => id),
      rows.map(({ read }) => read.entry.sequenceId),
      rows.map(({ read }) => (addsResource(read) ? read.entry.operationId : null)),
      joinedTexts(rows.map(({ read }) => read.text)),
      records.map(({ id }) => id),
      records.map(({ read }) => read.seq),
      joinedTexts(records.map(({ read }) => read.text)),
    ],
  );
  return stored.rows;
}
