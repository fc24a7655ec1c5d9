import type { Provider } from '@cairn/provider-sdk';
import { DrivenResource } from '@cairn/testkit/driven-resource';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import pg from 'pg';
import provider from '../src/provider.js';

/** A server for the tests of a file, and the provider that uses it. */
export interface WithServer {
  readonly server: Postgres;
  readonly provider: Provider;
  /** Returns a resource of the package, by the last part of its token. */
  driven(type: string): DrivenResource;
  /** Returns rows of a statement, run as the superuser by default. */
  sql(
    text: string,
    as?: { database?: string; user?: string; password?: string },
  ): Promise<readonly unknown[]>;
}

const why = whyNoPostgres();
let shared: Promise<WithServer> | undefined;
if (why === undefined)
  afterAll(async () => {
    await (await shared)?.server.close();
  });

/**
 * Calls `describe` with a server that all tests of the file share. If none can be started, the tests are skipped, with
 * the reason in the title.
 */
export function describeWithServer(title: string, tests: (at: () => WithServer) => void): void {
  if (why !== undefined)
    return describe.skip(`${title} (skipped: ${why})`, () => tests(() => undefined as never));
  describe(title, () => {
    let at: WithServer;
    beforeAll(async () => {
      shared ??= withServer();
      at = await shared;
    });
    tests(() => at);
  });
}

/** Returns a provider for the server, with a user and a password. */
export async function configured(server: Postgres, given: object = {}): Promise<Provider> {
  const { host, port, user, password } = server;
  const made = provider();
  await made.handshake({ engineAddress: '', programDirectory: process.cwd() });
  const news = { host, port, user, password, ...given };
  const { inputs, failures } = await made.checkConfig({ urn: '' as never, news: news as never } as never);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  await made.configure({ inputs } as never);
  return made;
}

async function withServer(): Promise<WithServer> {
  const server = await startPostgres();
  const { host, port, user, password } = server;
  const made = await configured(server);
  return {
    server,
    provider: made,
    driven: (type) => new DrivenResource(made, `cairn-postgresql:index:${type}`),
    sql: async (text, as) => {
      const client = new pg.Client({ host, port, user, password, database: 'postgres', ...as });
      await client.connect();
      try {
        return (await client.query(text)).rows;
      } finally {
        await client.end();
      }
    },
  };
}
