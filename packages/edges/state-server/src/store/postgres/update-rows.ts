import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { StackId } from '@cairn/backends';
import { itemTexts } from '@cairn/state';
import { Refusal } from '../../domain/refusal.js';
import type { FoundUpdate } from '../../domain/admission.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { UpdateStore } from '../service-store.js';
import type { Database } from './connections.js';
import { previewRows } from './preview-rows.js';
import { NAMED, nameValues, resourcesIn } from './stack-rows.js';
import type { RowFolds } from './row-folds.js';
import type { BlobRef, StateBlobs } from './state-blobs.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Facilities of the rows. With `locks`, an update that is found stays as it is until the transaction ends. */
interface UpdatePorts {
  readonly db: Database;
  /** Runs work once everything is stored. */
  readonly afterCommit: (work: () => Promise<void>) => void;
  readonly blobs: StateBlobs;
  readonly folds: RowFolds;
  readonly locks: boolean;
}

/** Updates with their bases, journals and events, as rows and blobs. */
export function rowsOfUpdates({ db, afterCommit, blobs, folds, locks }: UpdatePorts): UpdateStore {
  /** Finds an update. The row is locked before it is read, so that the clock is read after any wait. */
  const find = async (where: string, values: readonly unknown[]): Promise<FoundUpdate | undefined> => {
    const from = `from cairn.updates u join cairn.stacks s on s.id = u.stack where ${where}`;
    if (locks) await db.query(`select ${from} for update of u`, values);
    const { rows } = await db.query<{ record: string; lapsed: boolean }>(
      `select u.record, coalesce(u.lease_until <= clock_timestamp(), true) as lapsed ${from}`,
      values,
    );
    const [row] = rows;
    return row && { record: JSON.parse(row.record) as UpdateRecord, lapsed: row.lapsed };
  };
  return {
    findUpdate: ({ stack, id }) => find(`${NAMED} and u.id = $3`, [...nameValues(stack), id]),
    runningUpdate: (stack) =>
      find(`${NAMED} and u.id = s.running and u.status = 'running'`, nameValues(stack)),
    putUpdateRecord: async (_stack: StackId, record) => {
      await db.query(
        `insert into cairn.updates (id, stack, status, record, preview_of, previewed_at, lease_until)
         values ($1, $2, $3, $4, $5, case when $5::integer is null then null else clock_timestamp() end,
           clock_timestamp())
         on conflict (id) do update set status = excluded.status, record = excluded.record,
           preview_of = excluded.preview_of,
           previewed_at = coalesce(cairn.updates.previewed_at, excluded.previewed_at)`,
        [record.id, record.stackId, record.status, JSON.stringify(record), record.previewOf ?? null],
      );
      if (record.ending !== undefined && record.status !== 'running')
        afterCommit(async () => folds.forget(record.id));
    },
    findPreviews: (stackId, page) => previewRows(db, stackId, page),
    extendLease: async ({ id }, ms) => {
      const { rows } = await db.query<{ now: Date }>(
        `update cairn.updates set lease_until = clock_timestamp() + $2 * interval '1 millisecond' where id = $1
         returning clock_timestamp() as now`,
        [id, ms],
      );
      return (rows[0] as { now: Date }).now.getTime();
    },
    base: async ({ id }) => {
      const { rows } = await db.query<BlobRef>(
        'select base_blob as blob, base_sha256 as sha256 from cairn.updates where id = $1',
        [id],
      );
      const [row] = rows;
      if (!row?.blob) throw new Refusal(404, 'The state before the update is not kept.');
      return blobs.getState(row);
    },
    putBase: async ({ stackId, id }, base) => {
      const { blob, sha256 } = await blobs.putState(stackId, base);
      await db.query(
        'update cairn.updates set base_blob = $2, base_sha256 = $3, base_size = $4 where id = $1',
        [id, blob, sha256, resourcesIn(base)],
      );
      afterCommit(async () => folds.begin(id, base));
    },
    readFold: ({ id }) => folds.proven(db, id),
    journal: async ({ id }) => {
      const sql = 'select entry from cairn.journal where update_id = $1 order by seq';
      const { rows } = await db.query<{ entry: string }>(sql, [id]);
      return rows.map(({ entry }) => entry);
    },
    events: async ({ id }) => {
      const { rows } = await db.query<BlobRef & { batches: readonly Buffer[] | null }>(
        `select events_blob as blob, events_sha256 as sha256,
                (select array_agg(batch order by number) from cairn.events where update_id = $1) as batches
           from cairn.updates where id = $1`,
        [id],
      );
      const [row] = rows;
      if (!row?.blob) return row?.batches ?? [];
      return itemTexts(await unpack(await blobs.get(row)), 'the events').map((text) => Buffer.from(text));
    },
    closeLogs: async ({ stackId, id }) => {
      const sql = 'delete from cairn.events where update_id = $1 returning number, batch';
      const { rows } = await db.query<{ number: string; batch: Buffer }>(sql, [id]);
      if (rows.length === 0) return;
      const batches = rows.sort((a, b) => Number(a.number) - Number(b.number)).map(({ batch }) => batch);
      const packed = await pack(`[${batches.map(String).join(',')}]`);
      const { blob, sha256 } = await blobs.put(stackId, packed);
      await db.query('update cairn.updates set events_blob = $2, events_sha256 = $3 where id = $1', [
        ...[id, blob, sha256],
      ]);
    },
  };
}
