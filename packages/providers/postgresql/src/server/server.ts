import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ProviderError } from '@cairn/provider-sdk';
import type { HandlerContext } from '@cairn/provider-sdk';
import { retrying, systemRetryPorts } from '@cairn/retries';
import type { RetryRules } from '@cairn/retries';
import pg from 'pg';
import { failure, isRefusal, notConnected, sqlState } from './failures.js';
import type { Settings } from './settings.js';

type Row = Readonly<Record<string, unknown>>;

/** Statements on one connection. Values take the places of `$1`, `$2`, …; names are quoted by {@link quoted}. */
export interface Session {
  query<R extends Row>(sql: string, values?: readonly unknown[]): Promise<readonly R[]>;
}

/** A name as SQL has it. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);
/** A text as SQL has it, where a statement takes no values. */
export const literal = (text: string): string => pg.escapeLiteral(text);

/** Connections to one database at a time; more wait. */
const MOST_CONNECTIONS = 4;
/** How long a connection without work stays open. Milliseconds. */
const IDLE_MS = 1000;

/**
 * Refusals that pass: two statements changed the same row of the catalogue, a transaction was the victim of a deadlock,
 * or somebody was connected to a database for a moment. Nothing was done.
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

/** The server that an instance of the provider is configured for; its connections are shared by all calls. */
export function serverOf(context: HandlerContext): Server {
  const known = servers.get(context.config);
  if (known !== undefined) return known;
  const server = new Server(context.config as Settings, context.programDirectory);
  servers.set(context.config, server);
  return server;
}

/**
 * Runs work on something in a database, in one transaction: see {@link Server.inTransaction}. `task`: the words of its
 * errors, as in "create schema sales of database shop".
 */
export function inDatabase<T>(
  context: HandlerContext,
  database: string,
  task: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return serverOf(context).inTransaction({ ...context, task }, database, work);
}

/** What a statement is run for: the words of its error, and when it is to be given up. */
type Purpose = Pick<HandlerContext, 'signal' | 'redact'> & { readonly task: string };

class Server {
  readonly #pools = new Map<string, pg.Pool>();

  constructor(
    private readonly settings: Settings,
    private readonly programDirectory: string,
  ) {}

  /** The database for statements that belong to none. */
  get maintenance(): string {
    return this.settings.database;
  }

  /**
   * Runs work in one transaction, repeated as a whole when a refusal passes. Fails with a `ProviderError` when nothing
   * was done, also when `signal` fired: the server is asked to give the statement up, and says so. Fails with another
   * error when the connection broke, so that nobody knows.
   */
  inTransaction<T>(purpose: Purpose, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#run(purpose, database, async (session) => {
      await session.query('BEGIN');
      const result = await work(session);
      await session.query('COMMIT');
      return result;
    });
  }

  /** As {@link inTransaction}, for the statements that PostgreSQL does not take in a transaction: one at a time. */
  alone<T>(purpose: Purpose, database: string, work: (session: Session) => Promise<T>): Promise<T> {
    return this.#run(purpose, database, work);
  }

  /** Ends the connections to a database that have no work, so that it can be dropped. */
  async leave(database: string): Promise<void> {
    const pool = this.#pools.get(database);
    this.#pools.delete(database);
    await pool?.end();
  }

  /**
   * Whether a role gets in with a password. Undefined: the server has not said, as where a role may not log in, or
   * where it asks for no password or another kind of proof.
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
      if (signal.aborted) throw new ProviderError('ABORTED', 'not begun: the call was given up before');
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
    // A connection that breaks while it has no work is left out of the pool; the next call opens another.
    pool.on('error', () => undefined);
    this.#pools.set(database, pool);
    return pool;
  }

  #options(database: string): pg.ClientConfig {
    const { host, port, user, password, connectTimeout } = this.settings;
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
    const mode = this.settings.sslMode ?? process.env['PGSSLMODE'] ?? 'disable';
    if (mode === 'disable') return false;
    if (mode !== 'verify-full') return { rejectUnauthorized: false };
    const file = this.settings.sslRootCert;
    return file === undefined ? {} : { ca: readFileSync(path.resolve(this.programDirectory, file), 'utf8') };
  }

  /** Asks the server, over a connection of its own, to give up what another one runs. */
  async #cancel(client: pg.PoolClient): Promise<void> {
    const { processID } = client as unknown as { readonly processID: number };
    const other = new pg.Client(this.#options(this.maintenance));
    await other.connect();
    await other.query('SELECT pg_cancel_backend($1)', [processID]).finally(() => other.end());
  }
}
