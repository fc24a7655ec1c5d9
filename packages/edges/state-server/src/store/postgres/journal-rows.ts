import type { StackId } from '@cairn/backends';
import type { TextItem } from '@cairn/state';
import type { Admit, FoundUpdate } from '../../domain/admission.js';
import {
  acceptBatch,
  addsResource,
  entryDigest,
  noEntries,
  noteBatch,
  operationsOf,
  readBatch,
} from '../../domain/journal-acceptance.js';
import type { JournalFacts, ReadEntry } from '../../domain/journal-acceptance.js';
import { stackKey } from '../../domain/stack-key.js';
import type { UpdateName } from '../service-store.js';
import type { Connections, Database } from './connections.js';
import type { GatherOutcome } from './gatherer.js';
import { namedStack } from './stack-rows.js';
import type { NamedRow } from './stack-rows.js';

/** Journal batch that waits. A batch that breaks the format is refused after its caller is let through. */
export interface WaitingBatch {
  readonly update: UpdateName;
  readonly admit: Admit;
  readonly entries: GatherOutcome<readonly ReadEntry[]>;
}

/** Reads a batch to wait with. */
export function waitingBatch(update: UpdateName, admit: Admit, items: readonly TextItem[]): WaitingBatch {
  try {
    return { update, admit, entries: { value: readBatch(items) } };
  } catch (refused) {
    return { update, admit, entries: { refused } };
  }
}

interface LockedUpdate {
  readonly found: FoundUpdate;
  readonly stack: StackId;
  readonly facts: JournalFacts;
}

/**
 * Stores batches of several updates in one transaction. The rules run on update rows that are locked, so nothing that
 * they find changes before it is stored. An outcome is false if nothing was stored because other work has the update;
 * with `waits` it is waited for.
 */
export function storeBatches(
  connections: Connections,
  batches: readonly WaitingBatch[],
  { waits }: { readonly waits: boolean },
): Promise<readonly GatherOutcome<boolean>[]> {
  return connections.transaction(async (db) => {
    const locked = await lockUpdates(db, batches, waits);
    const fresh: (readonly [string, ReadEntry])[] = [];
    const outcomes = batches.map((batch): GatherOutcome<boolean> => {
      if (!waits && !locked.has(batch.update.id)) return { value: false };
      try {
        for (const entry of acceptedOf(batch, locked)) fresh.push([batch.update.id, entry]);
        return { value: true };
      } catch (refused) {
        return { refused };
      }
    });
    if (fresh.length > 0) await insertEntries(db, fresh, locked);
    return outcomes;
  });
}

function acceptedOf(
  { update: { stack, id }, admit, entries }: WaitingBatch,
  locked: ReadonlyMap<string, LockedUpdate>,
): readonly ReadEntry[] {
  const row = locked.get(id);
  const isHere = row !== undefined && stackKey(row.stack) === stackKey(stack);
  admit(isHere ? row.found : undefined);
  if ('refused' in entries) throw entries.refused;
  const { facts } = row as LockedUpdate;
  const fresh = acceptBatch(facts, entries.value);
  noteBatch(facts, fresh);
  return fresh;
}

interface UpdateRow extends NamedRow {
  readonly id: string;
  readonly record: string;
  readonly lapsed: boolean;
  readonly base_size: number | null;
  readonly begun: boolean;
}

/** Locks updates in one order for everyone, and reads afterwards: the clock and the rows are those after the lock. */
async function lockUpdates(
  db: Database,
  batches: readonly WaitingBatch[],
  waits: boolean,
): Promise<ReadonlyMap<string, LockedUpdate>> {
  const lock = await db.query<{ id: string }>(
    `select id from cairn.updates where id = any($1::uuid[]) order by id for update ${waits ? '' : 'skip locked'}`,
    [[...new Set(batches.map(({ update }) => update.id))]],
  );
  const ids = lock.rows.map(({ id }) => id);
  const { rows } = await db.query<UpdateRow>(
    `select u.id, s.org, s.project, s.name, u.record, u.base_size, u.begun,
            coalesce(u.lease_until <= clock_timestamp(), true) as lapsed
       from cairn.updates u join cairn.stacks s on s.id = u.stack where u.id = any($1::uuid[])`,
    [ids],
  );
  const locked = new Map(
    rows.map(({ id, org, project, name, record, lapsed, base_size: size, begun }) => {
      const facts = { ...noEntries(size ?? 0), baseSize: size ?? undefined, begun };
      const found = { record: JSON.parse(record), lapsed } as FoundUpdate;
      return [id, { stack: namedStack({ org, project, name }), facts, found }];
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
  for (const { update, entries } of batches)
    for (const read of 'value' in entries ? entries.value : []) {
      sequences.push([update.id, read.entry.sequenceId]);
      for (const operation of operationsOf(read)) operations.push([update.id, operation]);
    }
  const { rows } = await db.query<{ id: string; seq: string; entry: string }>(
    `select j.update_id as id, j.seq, j.entry
       from unnest($1::uuid[], $2::bigint[]) as k(id, seq)
       join cairn.journal j on j.update_id = k.id and j.seq = k.seq`,
    [sequences.map(([id]) => id), sequences.map(([, seq]) => seq)],
  );
  for (const { id, seq, entry } of rows) locked.get(id)?.facts.entries.set(Number(seq), entryDigest(entry));
  if (operations.length === 0) return;
  const added = await db.query<{ id: string; adds: string }>(
    `select j.update_id as id, j.adds
       from unnest($1::uuid[], $2::bigint[]) as k(id, operation)
       join cairn.journal j on j.update_id = k.id and j.adds = k.operation`,
    [operations.map(([id]) => id), operations.map(([, operation]) => operation)],
  );
  for (const { id, adds } of added.rows) locked.get(id)?.facts.added.add(Number(adds));
}

async function insertEntries(
  db: Database,
  fresh: readonly (readonly [string, ReadEntry])[],
  locked: ReadonlyMap<string, LockedUpdate>,
): Promise<void> {
  await db.query(
    'insert into cairn.journal select * from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[])',
    [
      fresh.map(([id]) => id),
      fresh.map(([, { entry }]) => entry.sequenceId),
      fresh.map(([, read]) => (addsResource(read) ? read.entry.operationId : null)),
      fresh.map(([, { text }]) => text),
    ],
  );
  const ids = [...new Set(fresh.map(([id]) => id))];
  const facts = ids.map((id) => (locked.get(id) as LockedUpdate).facts);
  await db.query(
    `update cairn.updates u set begun = k.begun, base_size = k.size
       from unnest($1::uuid[], $2::boolean[], $3::integer[]) as k(id, begun, size)
      where u.id = k.id and (u.begun, u.base_size) is distinct from (k.begun, k.size)`,
    [ids, facts.map(({ begun }) => begun), facts.map(({ baseSize }) => baseSize ?? null)],
  );
}
