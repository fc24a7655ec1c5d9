import type { StackId } from '@cairn/backends';
import { REMOVE_ATTEMPTS } from './attempt-rows.js';
import { blobColumns } from './blob-columns.js';
import type { Connections, StoreTransaction } from './connections.js';
import { lockStacks } from './stack-turns.js';
import type { NamedRow } from './stack-rows.js';
import { namedStack } from './stack-rows.js';
import type { StateBlobs } from './state-blobs.js';
import type { CleaningRules } from '../service-store.js';

/** Updates of one statement. */
const MOST = 1000;
/**
 * Age from which a blob that no row names was left by a transaction that failed, and an update by a client that never
 * started it, in milliseconds.
 */
const LEFT_MS = 24 * 3_600_000;

/** Removes what is not needed any more. While another process does so, it does nothing. */
export async function cleanDatabase(
  connections: Connections,
  blobs: StateBlobs,
  { eventsMs, statesMs, now }: CleaningRules,
): Promise<void> {
  await connections.transaction(async (db) => {
    const { rows } = await db.query<{ alone: boolean }>(
      "select pg_try_advisory_xact_lock(hashtextextended('cairn cleaning', 0)) as alone",
    );
    if (rows[0]?.alone !== true) return;
    while ((await removeJournals(db)) === MOST);
    await db.query(REMOVE_UNSTARTED, [LEFT_MS]);
    await db.query(REMOVE_ATTEMPTS);
    if (eventsMs !== undefined) await removeEvents(db, eventsMs);
    if (statesMs !== undefined) await db.query(FORGET_STATES, [statesMs]);
  });
  await removeOrphans(connections, blobs, now().getTime() - LEFT_MS);
}

/** Removes journals of updates that ended and belong to no change, and the names of their bases. */
async function removeJournals(db: StoreTransaction): Promise<number> {
  const { rows } = await db.query<{ id: string }>(
    `update cairn.updates set base_blob = null, base_sha256 = null where id in (
       select id from cairn.updates u
        where base_blob is not null and status not in ('created', 'running') and record not like '%"problem":%'
          and not exists (select from cairn.changes c where c.update_id = u.id) limit ${MOST})
     returning id`,
  );
  await db.query('delete from cairn.journal where update_id = any($1::uuid[])', [rows.map(({ id }) => id)]);
  return rows.length;
}

/** Removes events of updates that ended, and previews that ended. */
async function removeEvents(db: StoreTransaction, eventsMs: number): Promise<void> {
  const ended = "lease_until < clock_timestamp() - $1 * interval '1 millisecond'";
  await db.query(
    `delete from cairn.updates where preview_of is not null and status not in ('created', 'running') and ${ended}`,
    [eventsMs],
  );
  await db.query(
    `update cairn.updates set events_blob = null, events_sha256 = null
      where events_blob is not null and ${ended}`,
    [eventsMs],
  );
}

/** An update has no lease before it starts: the end of its lease is then the time of its creation. */
const REMOVE_UNSTARTED = `
  delete from cairn.updates
   where status = 'created' and lease_until < clock_timestamp() - $1 * interval '1 millisecond'`;

/** The blobs go later, in {@link removeOrphans}: first no row may name them. The newest version keeps its state. */
const FORGET_STATES = `
  update cairn.checkpoints c set blob = null, sha256 = null
   where blob is not null
     and (entry::json->>'startTime')::bigint < extract(epoch from clock_timestamp()) - $1::double precision / 1000
     and version < (select max(version) from cairn.checkpoints n where n.stack = c.stack)`;

/**
 * Removes blobs that no row names. It happens in the turn of their stack: work that names a blob again, which is there
 * already, cannot come between.
 */
async function removeOrphans(connections: Connections, blobs: StateBlobs, before: number): Promise<void> {
  for (const [id, names] of await blobs.olderThan(before))
    await connections.transaction(async (db) => {
      const { rows } = await db.query<NamedRow>(
        `select org, project, name from cairn.stacks where id = $1
         union all select org, project, name from cairn.terraform_states where id = $1`,
        [id],
      );
      await lockStacks(db, rows.map(namedStack) as readonly StackId[]);
      const named = await namedBlobs(db, names);
      for (const name of names) if (!named.has(name)) await blobs.remove(name);
    });
}

async function namedBlobs(db: StoreTransaction, names: readonly string[]): Promise<ReadonlySet<string>> {
  const columns = await blobColumns(db);
  const each = columns.map(
    ({ table, column }) => `select ${column} as name from cairn.${table} where ${column} = any($1::text[])`,
  );
  const { rows } = await db.query<{ name: string }>(each.join(' union '), [names]);
  return new Set(rows.map(({ name }) => name));
}
