import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { StoreSignals } from '../service-store.js';
import type { Database } from './connections.js';

const CHANNEL = 'cairn_news';
/** Name of the connection that listens, as `pg_stat_activity` shows it. */
export const SIGNAL_CONNECTION = 'cairn serve signals';
const CONNECT_MS = 10_000;
/** Milliseconds until another connection after one was lost or refused. */
const RETRY_MS = 1000;

/**
 * Signals between the processes of one database, by LISTEN and NOTIFY. One connection listens, from the first
 * {@link hear} on. A new one after a loss counts as a signal, as some may have been missed.
 */
export class DatabaseSignals implements StoreSignals {
  readonly #url: string;
  readonly #db: Database;
  /** Payload of this process, which does not hear itself. */
  readonly #own = randomUUID();
  #listener: (() => void) | undefined;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;
  #sending: 'none' | 'one' | 'and another' = 'none';

  /** `db` sends; `url` is that of the same database. */
  constructor(url: string, db: Database) {
    this.#url = url;
    this.#db = db;
  }

  hear(listener: () => void): void {
    this.#listener = listener;
    this.#connect();
  }

  send(): void {
    if (this.#sending !== 'none') {
      this.#sending = 'and another';
      return;
    }
    this.#sending = 'one';
    void this.#db
      .query('select pg_notify($1, $2)', [CHANNEL, this.#own])
      // Other processes look by themselves as well.
      .catch(() => undefined)
      .then(() => {
        const isAsked = this.#sending === 'and another';
        this.#sending = 'none';
        if (isAsked) this.send();
      });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  #connect(): void {
    const client = new pg.Client({
      ...{ connectionString: this.#url, application_name: SIGNAL_CONNECTION },
      ...{ connectionTimeoutMillis: CONNECT_MS, keepAlive: true },
    });
    this.#client = client;
    client.on('error', () => undefined);
    client.on('end', () => this.#lost(client));
    client.on('notification', ({ payload }) => {
      if (payload !== this.#own) this.#listener?.();
    });
    const listening = client.connect().then(() => client.query(`listen ${CHANNEL}`));
    listening.then(
      () => this.#listener?.(),
      () => {
        this.#lost(client);
        client.end().catch(() => undefined);
      },
    );
  }

  #lost(client: pg.Client): void {
    if (this.#client !== client || this.#isClosed) return;
    this.#client = undefined;
    this.#retry = setTimeout(() => this.#connect(), RETRY_MS);
    this.#retry.unref();
  }
}
