import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import pg from 'pg';
import { openPostgresStore } from '../src/index.js';
import type { ServiceStore } from '../src/index.js';
import type { StoreKind } from './service.js';

export const why = whyNoPostgres();

/** Server whose databases have the names of folders. */
export class TestDatabases {
  #server: Promise<Postgres> | undefined;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #syncs: boolean;

  constructor({ syncs = false } = {}) {
    this.#syncs = syncs;
  }

  server(): Promise<Postgres> {
    return (this.#server ??= startPostgres({ syncs: this.#syncs }));
  }

  /** Returns the address of the database of a folder, which is made if there is none. */
  async url(folder: string): Promise<string> {
    const { host, port, user, password } = await this.server();
    const name = path.basename(folder);
    const url = (database: string): string => `postgres://${user}:${password}@${host}:${port}/${database}`;
    const made = this.#made.get(name) ?? run(url('postgres'), `create database "${name}"`);
    this.#made.set(name, made);
    await made;
    return url(name);
  }

  async open(folder: string): Promise<ServiceStore> {
    const urls = { database: await this.url(folder), blobs: `file://${folder}` };
    return openPostgresStore(urls, { now: () => new Date(), version: 'v0.1.0' }, {});
  }

  async close(): Promise<void> {
    await (await this.#server)?.close();
  }
}

/** Returns the store in PostgreSQL. Time passes on the clock of the process, and by moving the ends of all leases. */
export function postgresKind(databases: TestDatabases): StoreKind {
  return {
    isShared: true,
    open: async (folder) => {
      let clock = 0;
      return {
        store: await databases.open(folder),
        monotonic: () => clock,
        pass: async (ms) => {
          clock += ms;
          const by = `interval '${ms} milliseconds'`;
          const sql = `update cairn.updates set lease_until = lease_until - ${by};
                       update cairn.tickets set kept_until = kept_until - ${by};
                       update cairn.deliveries set due = due - ${by};
                       update cairn.agents set seen_at = seen_at - ${by};
                       update cairn.due_stacks set due = due - ${by};
                       update cairn.run_leases set kept_until = kept_until - ${by};
                       update cairn.attempts set until = until - ${by}`;
          await run(await databases.url(folder), sql);
        },
      };
    },
    urls: async (folder) => ({ store: await databases.url(folder), blobs: `file://${folder}` }),
    close: () => databases.close(),
  };
}

/** Runs a statement on a connection of its own, and returns its rows. */
export async function run(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end();
  }
}
