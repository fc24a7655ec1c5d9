import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMigrations } from '../src/index.js';
import { describeWithServer } from './with-server.js';

const orders = { name: '1_orders', up: 'CREATE TABLE orders (id integer)', down: 'DROP TABLE orders' };
const items = {
  name: '2_items',
  up: 'CREATE TABLE items (id integer); INSERT INTO items VALUES (1)',
  down: 'DROP TABLE items',
};

describeWithServer('migrations', (at) => {
  let schema = '';
  let count = 0;
  beforeEach(async () => {
    schema = `migrated_${count++}`;
    await at().sql(`CREATE SCHEMA ${schema}`);
  });
  const given = (...migrations: readonly object[]) => ({ database: 'postgres', schema, migrations });
  const tables = async (): Promise<string> => {
    const rows = await at().sql(
      `SELECT string_agg(relname, ' ' ORDER BY relname) AS names FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`,
    );
    return (rows[0] as { names: string }).names;
  };

  test('are applied once and in order, added to, and undone from the end', async () => {
    const made = await at().driven('Migrations').create(given(orders));
    expect(made.outputs).toMatchObject({ version: '1_orders' });
    await made.update(given(orders, items));
    expect(await tables()).toBe('cairn_migrations items orders');
    await made.refresh();
    expect(await made.diff(given(orders, items))).toMatchObject({ changed: [] });
    await made.update(given(orders));
    expect(await tables()).toBe('cairn_migrations orders');
    await made.delete();
    expect(await tables()).toBeNull();
    expect(await made.refresh()).toBe(false);
  });

  test('what was applied is imported with its SQL', async () => {
    const made = await at().driven('Migrations').create(given(orders, items));
    const imported = at().driven('Migrations');
    expect(await imported.import(made.id)).toBe(true);
    expect(imported.inputs).toEqual({ ...given(orders, items), table: 'cairn_migrations' });
  });

  test('a failure in the middle keeps what came before it, and the next update goes on', async () => {
    const wrong = { name: '2_wrong', up: 'CREATE TABLE half (); SELECT nonsense' };
    const call = at().driven('Migrations').create(given(orders, wrong));
    await expect(call).rejects.toMatchObject({
      outputs: { version: '1_orders' },
      reasons: [
        expect.stringMatching(
          /cannot apply 2_wrong for the migrations of postgres\/.*: column "nonsense" does not exist/,
        ),
      ],
    });
    expect(await tables()).toBe('cairn_migrations orders');
    const again = await at().driven('Migrations').create(given(orders, items));
    expect(again.outputs).toMatchObject({ version: '2_items' });
  });

  test.each([
    [
      'another text',
      { ...orders, up: 'CREATE TABLE orders (other integer)' },
      'was applied with another text',
    ],
    [
      'another one before it',
      { name: '0_first', up: 'SELECT 1' },
      '0_first is in the position where 1_orders was applied',
    ],
  ])('%s is refused in the preview and in the server', async (_title, first, why) => {
    const wanted = first.name === orders.name ? given(first) : given(first, orders);
    const made = await at().driven('Migrations').create(given(orders));
    await expect(made.diff(wanted)).rejects.toMatchObject({ message: expect.stringContaining(why) });
    await expect(made.update(wanted)).rejects.toMatchObject({ message: expect.stringContaining(why) });
    expect(await tables()).toBe('cairn_migrations orders');
  });

  test('without a "down" nothing is undone', async () => {
    const { down: _down, ...fixed } = orders;
    const made = await at().driven('Migrations').create(given(fixed));
    await expect(made.delete()).rejects.toMatchObject({ message: expect.stringContaining('has no "down"') });
    await made.update(given(orders));
    await made.delete();
  });

  test('one that ends its transaction is an error', async () => {
    const call = at()
      .driven('Migrations')
      .create(given({ name: '1', up: 'CREATE TABLE a (); COMMIT; CREATE TABLE b ()' }));
    await expect(call).rejects.toMatchObject({ reasons: [expect.stringContaining('ends its transaction')] });
  });

  test('two at once apply each of them once', async () => {
    const both = [1, 2].map(() => at().driven('Migrations').create(given(orders, items)));
    await Promise.all(both);
    expect(await at().sql(`SELECT count(*)::integer AS rows FROM ${schema}.items`)).toEqual([{ rows: 1 }]);
  });

  test('rows of applied migrations that are gone are drift', async () => {
    const made = await at().driven('Migrations').create(given(orders));
    await at().sql(`DELETE FROM ${schema}.cairn_migrations`);
    await made.refresh();
    expect(made.outputs).toMatchObject({ applied: [] });
    expect(await made.diff(given(orders))).toMatchObject({ changed: ['migrations'] });
  });

  test('a name twice is refused', async () => {
    expect(await at().driven('Migrations').check(given(orders, orders))).toEqual([
      { property: 'migrations', reason: 'has 1_orders twice' },
    ]);
  });
});

test('a folder of migrations is read in the order of names', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'migrations-'));
  const write = (name: string) => writeFileSync(path.join(folder, name), name);
  try {
    for (const name of ['02_b.sql', '01_a.sql', '01_a.down.sql', 'notes.txt']) write(name);
    expect(readMigrations(folder)).toEqual([
      { name: '01_a', up: '01_a.sql', down: '01_a.down.sql' },
      { name: '02_b', up: '02_b.sql' },
    ]);
    write('03_c.down.sql');
    expect(() => readMigrations(folder)).toThrow('undoes nothing: there is no 03_c.sql');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
