import type { StackId } from '@cairn/backends';
import type { FoundUpdate } from '../../domain/admission.js';
import { acceptParts, noParts, noteParts } from '../../domain/batch-acceptance.js';
import type { BatchFacts, ReadParts } from '../../domain/batch-acceptance.js';
import { addsResource, operationsOf } from '../../domain/journal-acceptance.js';
import type { ReadEntry } from '../../domain/journal-acceptance.js';
import { recordDigest } from '../../domain/record-acceptance.js';
import type { ReadRecord } from '../../domain/record-acceptance.js';
import { stackKey } from '../../domain/stack-key.js';
import type { Connections, Database } from './connections.js';
import type { GatherOutcome } from './gatherer.js';
import type { HotBatches } from './hot-batches.js';
import { joinedTexts } from './joined-texts.js';
import type { RowFolds } from './row-folds.js';
import { namedStack } from './stack-rows.js';
import type { NamedRow } from './stack-rows.js';
import type { WaitingBatch } from './waiting-batch.js';

interface LockedUpdate {
  readonly found: FoundUpdate;
  readonly stack: StackId;
  readonly facts: BatchFacts;
  /** Facts as they are stored. */
  readonly before: {
    readonly begun: boolean;
    readonly size: number | undefined;
    readonly recorded: number;
  };
  /** Version of the row, which changes with each write to it. */
  version: string;
}

/** Memory of a process about updates: those whose batches one statement can store, and their folds. */
interface BatchMemory {
  readonly hot: HotBatches;
  readonly folds: RowFolds;
}

/**
 * Stores batches of several updates: those that can be in one statement, and the others in one transaction, as
 * {@link storeBatches} does.
 */
export async function gatheredBatches(
  connections: Connections,
  memory: BatchMemory,
  batches: readonly WaitingBatch[],
): Promise<readonly GatherOutcome<boolean>[]> {
  const stored = await memory.hot.store(connections, batches);
  for (const [{ update }, entries] of stored) memory.folds.add(update.id, entries);
  const others = batches.filter((batch) => !stored.has(batch));
  if (others.length === 0) return batches.map(() => ({ value: true }));
  const outcomes = await storeBatches(connections, others, { ...memory, waits: false });
  const byBatch = new Map(others.map((batch, index) => [batch, outcomes[index] as GatherOutcome<boolean>]));
  return batches.map((batch) => byBatch.get(batch) ?? { value: true });
}

/**
 * Stores batches of several updates in one transaction. The rules run on update rows that are locked, so nothing that
 * they find changes before it is stored. An outcome is false if nothing was stored because other work has the update;
 * with `waits` it is waited for. `hot` learns of the updates, and `folds` of what was stored.
 */
export async function storeBatches(
  connections: Connections,
  batches: readonly WaitingBatch[],
  { waits, hot, folds }: BatchMemory & { readonly waits: boolean },
): Promise<readonly GatherOutcome<boolean>[]> {
  let locked: ReadonlyMap<string, LockedUpdate> = new Map();
  let stored: FreshRows['entries'] = [];
  const outcomes = await connections.transaction(async (db) => {
    locked = await lockUpdates(db, batches, waits);
    const fresh: FreshRows = { entries: [], records: [] };
    const found = batches.map((batch): GatherOutcome<boolean> => {
      if (!waits && !locked.has(batch.update.id)) return { value: false };
      try {
        const { id } = batch.update;
        const { entries, records } = acceptedOf(batch, locked);
        for (const entry of entries) fresh.entries.push([id, entry]);
        for (const record of records) fresh.records.push([id, record]);
        return { value: true };
      } catch (refused) {
        return { refused };
      }
    });
    await insertRows(db, fresh, locked);
    stored = fresh.entries;
    return found;
  });
  for (const [id, entry] of stored) folds.add(id, [entry]);
  for (const [id, { stack, found, facts, version }] of locked)
    if (facts.journal.begun)
      hot.remember(id, {
        ...{ version, stack, record: found.record },
        ...{ baseSize: facts.journal.baseSize, recorded: facts.change.recorded },
      });
  return outcomes;
}

/** Rows to store, each with the id of its update. */
interface FreshRows {
  readonly entries: (readonly [string, ReadEntry])[];
  readonly records: (readonly [string, ReadRecord])[];
}

function acceptedOf(
  { update: { stack, id }, admit, parts }: WaitingBatch,
  locked: ReadonlyMap<string, LockedUpdate>,
): ReadParts {
  const row = locked.get(id);
  const isHere = row !== undefined && stackKey(row.stack) === stackKey(stack);
  const record = admit(isHere ? row.found : undefined);
  if ('refused' in parts) throw parts.refused;
  const { facts } = row as LockedUpdate;
  const fresh = acceptParts(facts, parts.value, record);
  noteParts(facts, fresh);
  return fresh;
}

interface UpdateRow extends NamedRow {
  readonly id: string;
  readonly record: string;
  readonly lapsed: boolean;
  readonly base_size: number | null;
  readonly begun: boolean;
  readonly recorded: string;
  readonly version: string;
}

/**
 * Locks updates in one order for everyone, and reads them. Where it waits, it reads afterwards: the clock and the rows
 * are those after the lock.
 */
async function lockUpdates(
  db: Database,
  batches: readonly WaitingBatch[],
  waits: boolean,
): Promise<ReadonlyMap<string, LockedUpdate>> {
  const ids = [...new Set(batches.map(({ update }) => update.id))];
  if (waits)
    await db.query('select from cairn.updates where id = any($1::uuid[]) order by id for update', [ids]);
  const { rows } = await db.query<UpdateRow>(
    `select u.id, s.org, s.project, s.name, u.record, u.base_size, u.begun, u.recorded,
            u.xmin::text as version, coalesce(u.lease_until <= clock_timestamp(), true) as lapsed
       from cairn.updates u join cairn.stacks s on s.id = u.stack where u.id = any($1::uuid[])
      order by u.id for update of u ${waits ? '' : 'skip locked'}`,
    [ids],
  );
  const locked = new Map(
    rows.map(({ id, org, project, name, record, lapsed, base_size: size, begun, recorded, version }) => {
      const facts = noParts(size ?? 0, { keepsTexts: true });
      Object.assign(facts.journal, { baseSize: size ?? undefined, begun });
      facts.change.recorded = Number(recorded);
      const found = { record: JSON.parse(record), lapsed } as FoundUpdate;
      return [
        id,
        {
          stack: namedStack({ org, project, name }),
          facts,
          found,
          version,
          before: { begun, size: size ?? undefined, recorded: Number(recorded) },
        },
      ];
    }),
  );
  await readFacts(db, batches, locked);
  return locked;
}

/** Reads the stored entries that the batches repeat or contradict, and the operations that they refer to. */
async function readFacts(
  db: Database,
  batches: readonly WaitingBatch[],
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  const sequences: (readonly [string, number])[] = [];
  const operations: (readonly [string, number])[] = [];
  const records: (readonly [string, number])[] = [];
  for (const { update, parts } of batches) {
    if ('refused' in parts) continue;
    for (const read of parts.value.entries) {
      sequences.push([update.id, read.entry.sequenceId]);
      for (const operation of operationsOf(read)) operations.push([update.id, operation]);
    }
    const { recorded = 0 } = locked.get(update.id)?.facts.change ?? {};
    for (const { seq } of parts.value.records) if (seq <= recorded) records.push([update.id, seq]);
  }
  const { rows } = await db.query<{ id: string; seq: string; entry: string }>(
    `select j.update_id as id, j.seq, j.entry
       from unnest($1::uuid[], $2::bigint[]) as k(id, seq)
       join cairn.journal j on j.update_id = k.id and j.seq = k.seq`,
    [sequences.map(([id]) => id), sequences.map(([, seq]) => seq)],
  );
  for (const { id, seq, entry } of rows) locked.get(id)?.facts.journal.entries.set(Number(seq), entry);
  if (operations.length > 0) await readAdded(db, operations, locked);
  if (records.length > 0) await readRepeated(db, records, locked);
}

/** Reads stored records that are sent once more. */
async function readRepeated(
  db: Database,
  records: readonly (readonly [string, number])[],
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  const { rows } = await db.query<{ id: string; seq: string; record: string }>(
    `select r.update_id as id, r.seq, r.record
       from unnest($1::uuid[], $2::bigint[]) as k(id, seq)
       join cairn.change_records r on r.update_id = k.id and r.seq = k.seq`,
    [records.map(([id]) => id), records.map(([, seq]) => seq)],
  );
  for (const { id, seq, record } of rows)
    locked.get(id)?.facts.change.records.set(Number(seq), recordDigest(record));
}

async function readAdded(
  db: Database,
  operations: readonly (readonly [string, number])[],
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  const added = await db.query<{ id: string; adds: string }>(
    `select j.update_id as id, j.adds
       from unnest($1::uuid[], $2::bigint[]) as k(id, operation)
       join cairn.journal j on j.update_id = k.id and j.adds = k.operation`,
    [operations.map(([id]) => id), operations.map(([, operation]) => operation)],
  );
  for (const { id, adds } of added.rows) locked.get(id)?.facts.journal.added.add(Number(adds));
}

async function insertRows(
  db: Database,
  { entries, records }: FreshRows,
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  if (entries.length > 0)
    await db.query(
      `insert into cairn.journal
       select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], string_to_array($4, E'\\x01'))`,
      [
        entries.map(([id]) => id),
        entries.map(([, { entry }]) => entry.sequenceId),
        entries.map(([, read]) => (addsResource(read) ? read.entry.operationId : null)),
        joinedTexts(entries.map(([, { text }]) => text)),
      ],
    );
  if (records.length > 0)
    await db.query(
      `insert into cairn.change_records
       select * from unnest($1::uuid[], $2::bigint[], string_to_array($3, E'\\x01'))`,
      [
        records.map(([id]) => id),
        records.map(([, { seq }]) => seq),
        joinedTexts(records.map(([, { text }]) => text)),
      ],
    );
  await noteFacts(db, [...new Set([...entries, ...records].map(([id]) => id))], locked);
}

async function noteFacts(
  db: Database,
  ids: readonly string[],
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  const changed = ids.filter((id) => hasChanged(locked.get(id) as LockedUpdate));
  if (changed.length === 0) return;
  const facts = changed.map((id) => (locked.get(id) as LockedUpdate).facts);
  const { rows } = await db.query<{ id: string; version: string }>(
    `update cairn.updates u set begun = k.begun, base_size = k.size, recorded = k.recorded
       from unnest($1::uuid[], $2::boolean[], $3::integer[], $4::bigint[]) as k(id, begun, size, recorded)
      where u.id = k.id returning u.id, u.xmin::text as version`,
    [
      changed,
      facts.map(({ journal }) => journal.begun),
      facts.map(({ journal }) => journal.baseSize ?? null),
      facts.map(({ change }) => change.recorded),
    ],
  );
  for (const { id, version } of rows) (locked.get(id) as LockedUpdate).version = version;
}

function hasChanged({ facts: { journal, change }, before }: LockedUpdate): boolean {
  const { begun, size, recorded } = before;
  return journal.begun !== begun || journal.baseSize !== size || change.recorded !== recorded;
}
