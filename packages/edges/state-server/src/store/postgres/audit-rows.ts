import { follows, nextAuditRow } from '../../domain/audit.js';
import type { AuditEvent, AuditRow } from '../../domain/audit.js';
import { PendingEvents } from '../audit-store.js';
import type { AuditPage, AuditRecord, AuditStore } from '../audit-store.js';
import type { Connections, Database, StoreTransaction } from './connections.js';

/** Audit log as rows. Transactions that run through it write the row of the work that they are part of. */
export class AuditRows implements AuditStore {
  readonly #db: Connections;
  readonly #pending = new PendingEvents();

  constructor(db: Connections) {
    this.#db = db;
  }

  /** Runs work in one transaction, with the row of its event, if it has one that is not written yet. */
  transaction<T>(work: (db: StoreTransaction) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (db) => {
      const result = await work(db);
      const pending = this.#pending.current();
      const event = pending?.event();
      if (pending !== undefined && event !== undefined) {
        // Last, because the lock of the log is held until the commit.
        await append(db, event);
        db.afterCommit(async () => pending.written());
      }
      return result;
    });
  }

  async audited<T>({ event, first }: AuditRecord, work: () => Promise<T>): Promise<T> {
    const write = async (): Promise<void> => {
      const known = event();
      if (known !== undefined) await this.#db.transaction((db) => append(db, known));
    };
    if (!first) return this.#pending.during(event, work, write);
    await write();
    return work();
  }

  async auditRows({ after, newestFirst, most }: AuditPage): Promise<readonly AuditRow[]> {
    const from = newestFirst ? 'seq < $1 order by seq desc' : 'seq > $1 order by seq';
    const sql = `select seq, row as text, hash from cairn.audit where ${from} limit $2`;
    const start = after ?? (newestFirst ? Number.MAX_SAFE_INTEGER : 0);
    const { rows } = await this.#db.query<{ seq: string; text: string; hash: string }>(sql, [start, most]);
    return rows.map(({ seq, ...row }) => ({ seq: Number(seq), ...row }));
  }

  takeAuditRows(taken: readonly AuditRow[]): Promise<boolean> {
    return this.#db.transaction(async (db) => {
      await lockLog(db);
      let last = await newestRow(db);
      for (const row of taken) {
        if (!follows(row, last)) return false;
        await insert(db, row);
        last = row;
      }
      return true;
    });
  }
}

async function newestRow(db: Database): Promise<Pick<AuditRow, 'seq' | 'hash'> | undefined> {
  const { rows } = await db.query<{ seq: string; hash: string }>(
    'select seq, hash from cairn.audit order by seq desc limit 1',
  );
  const [last] = rows;
  return last && { seq: Number(last.seq), hash: last.hash };
}

/** Appends a row. Processes wait for each other, so that every row has the hash of the one before. */
async function append(db: Database, event: AuditEvent): Promise<void> {
  await lockLog(db);
  await insert(db, nextAuditRow(event, await newestRow(db)));
}

/** Keeps other processes from writing the log until the transaction ends. */
async function lockLog(db: Database): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('cairn audit', 0))");
}

async function insert(db: Database, { seq, text, hash }: AuditRow): Promise<void> {
  await db.query('insert into cairn.audit (seq, row, hash) values ($1, $2, $3)', [seq, text, hash]);
}
