import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ProviderError } from '@cairn/provider-sdk';
import type { HandlerContext } from '@cairn/provider-sdk';
import { retrying, systemRetryPorts } from '@cairn/retries';
import type { RetryRules } from '@cairn/retries';
import pg from 'pg';
import { failure, isRefusal, notConnected, sqlState } from './failures.js';
import type { ServerSettings } from './settings.js';

type Row = Readonly<Record<string, unknown>>;

/** Statements on one connection. Values replace `$1`, `$2`, …; names are quoted by {@link quoted}. */
export interface Session {
  query<R extends Row>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** Quotes a name for SQL. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);
/** Quotes a text for SQL, if a statement takes no values. */
export const literal = (text: string): string => pg.escapeLiteral(text);

/** Maximum number of concurrent connections to one database. More calls wait. */
const MOST_CONNECTIONS = 4;
/** Time that an unused connection remains open, in milliseconds. */
const IDLE_MS = 1000;

/**
 * Retry rules for temporary refusals, after which nothing was done. Two statements changed the same row of the
 * catalogue, a transaction was the victim of a deadlock, or another session was connected to a database for a moment.
 */
const RULES: RetryRules = {
  limits: { attempts: 8, firstMs: 50, mostMs: 1000, askedMostMs: 0, totalMs: 10_000 },
  passing: (thrown) => {
    if (!isRefusal(thrown)) return undefined;
    const raced = thrown.code === 'XX000' && thrown.message.includes('concurrently');
    return raced || ['40001', '40P01', '55006'].includes(thrown.code) ? {} : undefined;
  },
  ports: systemRetryPorts,
};

const servers = new WeakMap<object, Server>();

/** Returns the server for which an instance of the provider is configured. All calls share its connections. */
export function serverOf(context: HandlerContext): Server {
  const known = servers.get(context.config);
  if (known !== undefined) return known;
  const server = new Server(context.config as ServerSettings, context.programDirectory);
  servers.set(context.config, server);
  return server;
}

/**
 * Runs work on an object in a database, in one transaction: see {@link Server.inTransaction}. `task` describes the work
 * in errors, as in "create schema sales of database shop".
 */
export function inDatabase<T>(
  context: HandlerContext,
  database: string,
  task: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return serverOf(context).inTransaction({ ...context, task }, database, work);
}

/** Purpose of a statement: its description in errors, and the signal that cancels it. */
type Purpose = Pick<HandlerContext, 'signal' | 'redact'> & { readonly task: string };

class Server {
  readonly #pools = new Map<string, pg.Pool>();
  readonly #settings: ServerSettings;
  readonly #programDirectory: string;

  constructor(settings: ServerSettings, programDirectory: string) {
    this.#settings = settings;
    this.#programDirectory = programDirectory;
  }

  /** The database for statements that belong to no other one. */
  get maintenance(): string {
    return this.#settings.database;
  }

  /**
   * Runs work in one transaction, and retries the whole transaction after a temporary refusal. Fails with a
   * `ProviderError` if nothing was done. That includes a fired `signal`: the server is asked to cancel the statement,
   * and confirms it. Fails with another error if the connection broke, so that the effect is unknown.
   */
  inTransaction<T>(purpose: Purpose, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#run(purpose, database, async (session) => {
      await session.query('BEGIN');
      const result = await work(session);
      await session.query('COMMIT');
      return result;
    });
  }

  /**
   * Runs work like {@link inTransaction}, for statements that PostgreSQL does not accept in a transaction: one at a
   * time.
   */
  alone<T>(purpose: Purpose, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#run(purpose, database, work);
  }

  /** Closes the unused connections to a database, so that it can be dropped. */
  async leave(database: string): Promise<void> {
    const pool = this.#pools.get(database);
    this.#pools.delete(database);
    await pool?.end();
  }

  /**
   * Returns false if the server rejects a role's password. Undefined otherwise, because the password remains
   * unconfirmed: the role may not be allowed to log in, or the server may require no password or another kind of proof.
   */
  async passwordWorks(role: string, password: string): Promise<boolean | undefined> {
    const client = new pg.Client({ ...this.#options(this.maintenance), user: role, password });
    try {
      await client.connect();
      return undefined;
    } catch (thrown) {
      return sqlState(thrown) === '28P01' ? false : undefined;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async #run<T>(purpose: Purpose, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    try {
      return await retrying(RULES, () => this.#once(purpose.signal, database, work));
    } catch (thrown) {
      throw failure(purpose.task, thrown, purpose.redact);
    }
  }

  async #once<T>(signal: AbortSignal, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    const client = await this.#connect(database);
    const giveUp = (): void => void this.#cancel(client).catch(() => undefined);
    signal.addEventListener('abort', giveUp, { once: true });
    let broken: Error | undefined;
    try {
      if (signal.aborted) throw new ProviderError('ABORTED', 'not begun: the call was cancelled first');
      return await work({
        query: async (sql, values = []) =>
          (await (values.length > 0 ? client.query(sql, [...values]) : client.query(sql))).rows ?? [],
      });
    } catch (thrown) {
      if (isRefusal(thrown) || thrown instanceof ProviderError)
        await client.query('ROLLBACK').catch((error: Error) => void (broken = error));
      else broken = thrown as Error;
      throw thrown;
    } finally {
      signal.removeEventListener('abort', giveUp);
      client.release(broken);
    }
  }

  async #connect(database: string): Promise<pg.PoolClient> {
    try {
      return await this.#pool(database).connect();
    } catch (thrown) {
      const { host = process.env['PGHOST'], port = process.env['PGPORT'] } = this.#options(database);
      throw notConnected(`${host ?? 'localhost'}:${port ?? 5432}`, thrown);
    }
  }

  #pool(database: string): pg.Pool {
    const known = this.#pools.get(database);
    if (known !== undefined) return known;
    const pool = new pg.Pool({
      ...this.#options(database),
      ...{ max: MOST_CONNECTIONS, idleTimeoutMillis: IDLE_MS, allowExitOnIdle: true },
    });
    // An idle connection that breaks is removed from the pool. The next call opens another.
    pool.on('error', () => undefined);
    this.#pools.set(database, pool);
    return pool;
  }

  #options(database: string): pg.ClientConfig {
    const { host, port, user, password, connectTimeout } = this.#settings;
    const given = Object.fromEntries(
      Object.entries({ host, port, user, password }).filter(([, value]) => value !== undefined),
    );
    return {
      ...given,
      ...{ database, ssl: this.#ssl(), connectionTimeoutMillis: connectTimeout * 1000 },
      application_name: 'cairn',
    };
  }

  #ssl(): pg.ClientConfig['ssl'] {
    const mode = this.#settings.sslMode ?? process.env['PGSSLMODE'] ?? 'disable';
    if (mode === 'disable') return false;
    if (mode !== 'verify-full') return { rejectUnauthorized: false };
    const file = this.#settings.sslRootCert;
    return file === undefined ? {} : { ca: readFileSync(path.resolve(this.#programDirectory, file), 'utf8') };
  }

  /** Asks the server, over a separate connection, to cancel the statement of another one. */
  async #cancel(client: pg.PoolClient): Promise<void> {
    const { processID } = client as unknown as { readonly processID: number };
    const other = new pg.Client(this.#options(this.maintenance));
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [processID]).finally(() => other.end());
  }
}
