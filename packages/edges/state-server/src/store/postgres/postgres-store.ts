import { openBlobStore } from '@cairn/blobs';
import type { OpenOptions } from '@cairn/blobs';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { ServiceStore, StackStore } from '../service-store.js';
import { rowsOfAccess } from './access-rows.js';
import { rowsOfAttempts } from './attempt-rows.js';
import { AuditRows } from './audit-rows.js';
import { rowsOfChanges } from './change-rows.js';
import { cleanDatabase } from './cleaning.js';
import { Connections } from './connections.js';
import { DatabaseSignals } from './database-signals.js';
import { lockStacks } from './stack-turns.js';
import type { StoreTransaction } from './connections.js';
import { rowsOfDeliveries } from './delivery-rows.js';
import { rowsOfDeployments } from './deployment-rows.js';
import { Gatherer } from './gatherer.js';
import { HotBatches } from './hot-batches.js';
import { gatheredBatches, storeBatches } from './journal-rows.js';
import { checkSchema, migrate } from './migrations.js';
import { rowsOfQueue } from './queue-rows.js';
import { RowFolds } from './row-folds.js';
import { namedStack, rowsOfStacks } from './stack-rows.js';
import type { NamedRow, RowPorts } from './stack-rows.js';
import { StateBlobs } from './state-blobs.js';
import { waitingBatch } from './waiting-batch.js';
import type { WaitingBatch } from './waiting-batch.js';
import { rowsOfTerraform } from './terraform-rows.js';
import { rowsOfTokens } from './token-rows.js';
import { rowsOfUpdates } from './update-rows.js';

/** Connections for turns and reads of one process. */
const TURNS = 10;
/** Connections for journal batches, each with up to this many batches at a time. */
const GATHERED = { lanes: 4, most: 256 };
/** Lapsed updates of one look. */
const MOST_LAPSED = 100;

/** Addresses of a store: the database, and the blobs for states. */
interface PostgresUrls {
  readonly database: string;
  readonly blobs: string;
}

/**
 * Opens the store in a PostgreSQL database, whose schema it brings up to date. Any number of processes use it at a
 * time: what one of them remembers counts only where the rows prove it. Leases run on the clock of the database. Fails
 * with `CAIRN-STATE-TOO-NEW` for a newer schema, and `CAIRN-STORE-UNAVAILABLE` if the database does not answer.
 */
export async function openPostgresStore(
  urls: PostgresUrls,
  ports: Pick<RowPorts, 'now' | 'version'>,
  options: OpenOptions,
): Promise<ServiceStore> {
  const blobs = new StateBlobs(await openBlobStore(urls.blobs, options));
  const turns = new Connections(urls.database, TURNS);
  const batches = new Connections(urls.database, GATHERED.lanes);
  const signals = new DatabaseSignals(urls.database, turns);
  const close = async (): Promise<void> => {
    await Promise.all([signals.close(), turns.close(), batches.close(), blobs.close()]);
  };
  try {
    await migrate(turns);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return { ...postgresStore(turns, batches, { ...ports, blobs }), signals, close };
}

function postgresStore(
  turns: Connections,
  batches: Connections,
  ports: Omit<RowPorts, 'db' | 'afterCommit'>,
): Omit<ServiceStore, 'close'> {
  const memory = { hot: new HotBatches(), folds: new RowFolds(ports.now) };
  const { folds } = memory;
  const gatherer = new Gatherer<WaitingBatch, boolean>(
    (group) => gatheredBatches(batches, memory, group),
    GATHERED,
  );
  const rowsIn = (db: StoreTransaction): StackStore => {
    const inTransaction = { ...ports, db, afterCommit: (work: () => Promise<void>) => db.afterCommit(work) };
    return {
      ...rowsOfStacks(inTransaction),
      ...rowsOfUpdates({ ...inTransaction, folds, locks: true }),
      ...rowsOfChanges(db, ports.blobs),
      ...rowsOfQueue(db),
      ...rowsOfDeliveries(db),
      ...rowsOfDeployments(db),
      terraform: rowsOfTerraform(inTransaction),
    };
  };
  const outside = { ...ports, db: turns, afterCommit: (work: () => Promise<void>) => void work() };
  const { blobs } = ports;
  const audit = new AuditRows(turns);
  return {
    ...rowsOfStacks(outside),
    ...rowsOfUpdates({ ...outside, folds, locks: false }),
    terraform: rowsOfTerraform(outside),
    ...rowsOfChanges(turns, blobs),
    ...rowsOfQueue(turns),
    ...rowsOfDeliveries(turns),
    ...rowsOfDeployments(turns),
    clean: (rules) => cleanDatabase(turns, blobs, rules),
    figures: async () => {
      const { rows } = await turns.query<{ running: number }>(
        `select count(*)::integer as running from cairn.updates
          where status = 'running' and lease_until > clock_timestamp()`,
      );
      return { running: rows[0]?.running ?? 0, pools: [turns.figures('calls'), batches.figures('batches')] };
    },
    ping: async () => {
      await checkSchema(turns);
      await blobs.ping();
    },
    ...rowsOfTokens(turns, (work) => audit.transaction(work)),
    ...rowsOfAttempts(turns),
    ...rowsOfAccess(turns, (work) => audit.transaction(work)),
    audited: (event, work) => audit.audited(event, work),
    auditRows: (page) => audit.auditRows(page),
    takeAuditRows: (rows) => audit.takeAuditRows(rows),
    turn: (stacks, work) =>
      audit.transaction(async (db) => {
        await lockStacks(db, stacks);
        return work(rowsIn(db));
      }),
    appendEntries: async (update, admit, items) => {
      const batch = waitingBatch(update, admit, items);
      if (await gatherer.add(batch)) return;
      const [outcome] = await storeBatches(turns, [batch], { ...memory, waits: true });
      if (outcome !== undefined && 'refused' in outcome) throw outcome.refused;
    },
    appendEvents: (update, admit, { bytes, resourceChanges }) =>
      turns.transaction(async (db) => {
        const rows = rowsIn(db);
        const record = admit(await rows.findUpdate(update));
        if (resourceChanges !== undefined)
          await rows.putUpdateRecord(update.stack, { ...record, resourceChanges });
        await db.query('insert into cairn.events (update_id, batch) values ($1, $2)', [record.id, bytes]);
      }),
    lapsedUpdates: async () => {
      const { rows } = await turns.query<NamedRow & { record: string }>(
        `select s.org, s.project, s.name, u.record
           from cairn.updates u join cairn.stacks s on s.id = u.stack
          where u.status = 'running' and u.lease_until <= clock_timestamp()
          order by u.lease_until limit ${MOST_LAPSED} for update of u skip locked`,
      );
      return rows.map(({ record, ...names }) => ({
        stack: namedStack(names),
        record: JSON.parse(record) as UpdateRecord,
      }));
    },
  };
}
