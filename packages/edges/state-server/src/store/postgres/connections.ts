import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';
import pg from 'pg';
import type { PoolFigures } from '../service-store.js';

/** Longest wait for a row or a stack, in milliseconds. */
const LOCK_MS = 30_000;
/**
 * Time after which the database ends a transaction of a process that sends nothing, in milliseconds. Folding a large
 * journal and storing its state happen in this time.
 */
const IDLE_MS = 300_000;
/** Longest time of a statement, in milliseconds. A database that does not answer for longer counts as down. */
const STATEMENT_MS = 60_000;
const CONNECT_MS = 10_000;
const MOST_TRIES = 5;

/** Conflicts after which nothing was stored, so that the transaction can run again: serialization, deadlock. */
const RACED: ReadonlySet<string> = new Set(['40001', '40P01']);
/**
 * Classes of failures that pass: connection, resources, intervention; a lock that was not to be had; and a database
 * that is read-only, as a replica is until it takes over.
 */
const PASSING = /^(?:08|53|57)|^(?:55P03|25006)$/;

type Mended = readonly [code: ErrorCode, hint: string];

const NO_LOGIN: Mended = [
  'CAIRN-STORE-CREDENTIALS',
  'Give the password in PGPASSWORD or PGPASSFILE, and check the user in the address of the store.',
];

/** Failures that the operator of the service mends, by their code of PostgreSQL. */
const MENDED: Readonly<Record<string, Mended>> = {
  '28P01': NO_LOGIN,
  '28000': NO_LOGIN,
  '3D000': [
    'CAIRN-STORE-FAILED',
    'Create it with `createdb`, or correct its name in the address of the store.',
  ],
  '42501': ['CAIRN-STORE-DENIED', 'Make the user the owner of the database, or grant the right to it.'],
};

/** Runs statements. */
export interface Database {
  query<R extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<pg.QueryResult<R>>;
}

/** Transaction under way. */
export interface StoreTransaction extends Database {
  /** Does work once everything is stored. */
  afterCommit(work: () => Promise<void>): void;
}

/** Connections to one database. */
export class Connections implements Database {
  readonly #pool: pg.Pool;

  constructor(connectionString: string, most: number) {
    this.#pool = new pg.Pool({
      ...{ connectionString, max: most, connectionTimeoutMillis: CONNECT_MS, keepAlive: true },
      ...{ lock_timeout: LOCK_MS, idle_in_transaction_session_timeout: IDLE_MS },
      ...{ statement_timeout: STATEMENT_MS, query_timeout: IDLE_MS },
      application_name: 'cairn serve',
    });
    // A connection that breaks while it is unused is replaced by the next call.
    this.#pool.on('error', () => undefined);
  }

  query<R extends pg.QueryResultRow>(
    sql: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<R>> {
    return reported(() => this.#pool.query<R>(sql, [...values]));
  }

  /**
   * Runs work in one transaction: all that it does is stored, or nothing. Work that lost a race against another
   * transaction runs again.
   */
  async transaction<T>(work: (db: StoreTransaction) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1)
      try {
        return await this.#once(work);
      } catch (thrown) {
        if (tries === MOST_TRIES || !(thrown instanceof pg.DatabaseError) || !RACED.has(thrown.code ?? ''))
          throw thrown;
      }
  }

  figures(pool: string): PoolFigures {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { pool, busy: totalCount - idle, idle, waiting };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  async #once<T>(work: (db: StoreTransaction) => Promise<T>): Promise<T> {
    const client = await reported(() => this.#pool.connect());
    // A connection that breaks between two statements fails the next one.
    const broken = (): void => undefined;
    client.on('error', broken);
    const later: (() => Promise<void>)[] = [];
    // After a failed statement the database stores nothing more: what fails next is no cause.
    let failure: { readonly cause: unknown } | undefined;
    const db: StoreTransaction = {
      query: (sql, values = []) =>
        reported(() => client.query(sql, [...values])).catch((thrown: unknown) => {
          failure ??= { cause: thrown };
          throw thrown;
        }),
      afterCommit: (each) => void later.push(each),
    };
    let isLost = false;
    try {
      await db.query('begin');
      const result = await work(db);
      if (failure === undefined) await db.query('commit');
      else throw failure.cause;
      for (const each of later) await each();
      return result;
    } catch (thrown) {
      isLost = await client.query('rollback').then(
        () => false,
        () => true,
      );
      throw failure === undefined ? thrown : failure.cause;
    } finally {
      client.off('error', broken);
      client.release(isLost);
    }
  }
}

/**
 * Reports a failure that passes as one of the store, which clients answer by another try, and one that the operator
 * mends with the next action.
 */
async function reported<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const state = thrown instanceof pg.DatabaseError ? (thrown.code ?? '') : undefined;
    const summary = `cannot use the database: ${messageOf(thrown)}`;
    const [code, hint] = MENDED[state ?? ''] ?? [];
    if (code !== undefined) throw cairnError(code, summary, { hint }, thrown);
    if (state !== undefined && !PASSING.test(state)) throw thrown;
    throw cairnError('CAIRN-STORE-UNAVAILABLE', summary, { hint: UNREACHED_HINT }, thrown);
  }
}

const UNREACHED_HINT =
  'Check the address of the store, and that the database runs. Then run the command again.';
