import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startPostgres, whyNoPostgres } from '@cairn/testkit/servers';
import type { Postgres } from '@cairn/testkit/servers';
import pg from 'pg';
import { expectOk, sandbox } from '../support/cairn.js';
import type { Sandbox } from '../support/cairn.js';
import { giveStack } from '../support/given-stack.js';

const example = path.join(__dirname, '..', '..', 'examples', 'postgres');
const source = (file: string): string => readFileSync(path.join(example, file), 'utf8');
const FILES = Object.fromEntries(
  [
    ...['Cairn.yaml', 'package.json', 'index.ts'],
    ...readdirSync(path.join(example, 'migrations')).map((file) => `migrations/${file}`),
  ].map((file) => [file, source(file)]),
);
const UP = ['up', '--yes', '--skip-preview'];
const why = whyNoPostgres();
const withServer = why === undefined ? describe : describe.skip;
const reason = why === undefined ? '' : ` (skipped: ${why})`;

withServer(`the example with a PostgreSQL server${reason}`, () => {
  let server: Postgres;
  let box: Sandbox;
  beforeEach(async () => {
    server = await startPostgres();
    box = sandbox(FILES);
    giveStack(box);
  });
  afterEach(async () => {
    box.remove();
    await server.close();
  });

  const cairn = (...words: readonly string[]) => box.cairn(words, { env: server.env });
  async function sql(text: string, as: object = {}): Promise<readonly Record<string, unknown>[]> {
    const { host, port, user, password } = server;
    const client = new pg.Client({ host, port, user, password, database: 'shop', ...as });
    await client.connect();
    try {
      return (await client.query(text)).rows as readonly Record<string, unknown>[];
    } finally {
      await client.end();
    }
  }
  const made = async (): Promise<unknown> => {
    const text = `SELECT (SELECT count(*) FROM pg_database WHERE datname = 'shop') + (SELECT count(*) FROM pg_roles WHERE rolname LIKE 'shop%') AS n`;
    return Number((await sql(text, { database: 'postgres' }))[0]?.['n']);
  };

  test('is brought up, mended after drift, migrated further and taken down', async () => {
    const preview = expectOk(await cairn('preview'));
    expect(preview.stdout).toMatch(/\+ 11 to create/);
    const up = expectOk(await cairn(...UP));
    expect(up.stdout).toContain('version : "0002_items"');
    const variables = new Map(
      readFileSync(path.join(box.directory, 'connection.env'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    const password = variables.get('PGPASSWORD') ?? '';
    expect(up.text).not.toContain(password);
    const app = { user: variables.get('PGUSER'), password };
    await sql(`INSERT INTO shop.orders (customer) VALUES ('Ann')`, app);
    await expect(sql('DROP TABLE shop.orders', app)).rejects.toMatchObject({ code: '42501' });
    expect(expectOk(await cairn(...UP, '--expect-no-changes')).stdout).toContain('11 unchanged');

    await sql('REVOKE INSERT ON shop.orders FROM shop_app');
    await sql(`ALTER ROLE shop_app PASSWORD 'guessed'`);
    expectOk(await cairn('refresh', '--yes', '--skip-preview'));
    expect(expectOk(await cairn(...UP)).stdout).toMatch(/~ 2 updated {3}9 unchanged/);
    await sql(`INSERT INTO shop.orders (customer) VALUES ('Bob')`, app);

    box.write('migrations/0001_orders.sql', 'CREATE TABLE orders ()');
    const refused = await cairn('preview');
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('0001_orders was applied with another text');
    box.write('migrations/0001_orders.sql', source('migrations/0001_orders.sql'));
    box.write('migrations/0003_notes.sql', 'ALTER TABLE orders ADD COLUMN note text');
    box.write('migrations/0003_notes.down.sql', 'ALTER TABLE orders DROP COLUMN note');
    expect(expectOk(await cairn(...UP)).stdout).toContain('version : "0003_notes"');
    expect(
      await sql('SELECT count(note)::integer AS notes, count(*)::integer AS orders FROM shop.orders', app),
    ).toEqual([{ notes: 0, orders: 2 }]);

    expectOk(await cairn('destroy', '--yes', '--skip-preview'));
    expect(await made()).toBe(0);
  });

  test('is rolled back when a grant fails', async () => {
    box.write(
      'index.ts',
      source('index.ts').replace(
        `{ ...toApp, on: 'sequence'`,
        `{ ...toApp, role: 'not_there', on: 'sequence'`,
      ),
    );
    const up = await cairn(...UP, '--on-error', 'rollback');
    expect(up.code).not.toBe(0);
    expect(up.text).toContain('role "not_there" does not exist');
    expect(await made()).toBe(0);
    expect(expectOk(await cairn('stack', 'export')).stdout).not.toContain('shop_app');
  });

  test('killed in the middle of a migration, it is resumed, and the migration is applied once', async () => {
    const waits =
      `DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'go') ` +
      'LOOP PERFORM pg_sleep(0.02); END LOOP; END $$;';
    box.write('migrations/0002_items.sql', `${waits}\n${source('migrations/0002_items.sql')}`);
    const running = box.start(UP, { env: server.env });
    const begun = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'DO %rolname = ''go''%'`;
    while ((await sql(begun, { database: 'postgres' })).length === 0)
      expect(running.process.exitCode).toBeNull();
    running.process.kill('SIGKILL');
    await running.finished;
    await sql('CREATE ROLE go');
    const resumed = await cairn('resume', '--yes');
    expect(resumed.text).toContain('version : "0002_items"');
    expect(resumed.code).toBe(0);
    expect(await sql('SELECT name FROM shop.cairn_migrations ORDER BY position')).toEqual([
      { name: '0001_orders' },
      { name: '0002_items' },
    ]);
  });
});
