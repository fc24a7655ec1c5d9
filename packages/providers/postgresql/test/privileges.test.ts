import { describeWithServer } from './with-server.js';
import type { WithServer } from './with-server.js';

type Values = Readonly<Record<string, unknown>>;

describeWithServer('a grant', (at) => {
  beforeAll(async () => {
    await at().sql(`CREATE ROLE reader LOGIN PASSWORD 'r'`);
    await at().sql(
      'CREATE SCHEMA "Store"; CREATE TABLE "Store".orders (id serial); CREATE TABLE "Store"."Items" ()',
    );
    await at().sql(
      'CREATE FUNCTION "Store".total(a integer, b text) RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$',
    );
  });

  const tables = { database: 'postgres', role: 'reader', on: 'table', schema: 'Store' };
  type Row = readonly [title: string, given: Values, proof: string];
  const ROWS: readonly Row[] = [
    [
      'one table',
      { ...tables, objects: ['orders'], privileges: ['SELECT', 'INSERT'] },
      `has_table_privilege('reader', '"Store".orders', 'INSERT')`,
    ],
    [
      'all tables of a schema',
      { ...tables, privileges: ['SELECT'] },
      `has_table_privilege('reader', '"Store"."Items"', 'SELECT')`,
    ],
    [
      'all privileges, to be given on',
      { ...tables, objects: ['Items'], privileges: ['ALL'], grantOption: true },
      `has_table_privilege('reader', '"Store"."Items"', 'TRIGGER WITH GRANT OPTION')`,
    ],
    [
      'a schema',
      { ...tables, on: 'schema', privileges: ['USAGE'] },
      `has_schema_privilege('reader', 'Store', 'USAGE')`,
    ],
    [
      'a database',
      { database: 'postgres', role: 'reader', on: 'database', privileges: ['CREATE'] },
      `has_database_privilege('reader', 'postgres', 'CREATE')`,
    ],
    [
      'sequences',
      { ...tables, on: 'sequence', privileges: ['USAGE'] },
      `has_sequence_privilege('reader', '"Store".orders_id_seq', 'USAGE')`,
    ],
    [
      'a function',
      { ...tables, on: 'function', objects: ['total(a integer, b text)'], privileges: ['EXECUTE'] },
      `exists(SELECT 1 FROM pg_proc, aclexplode(proacl) WHERE proname = 'total' AND grantee = 'reader'::regrole)`,
    ],
  ];
  test.each(ROWS)('on %s is given, seen whole, imported, and taken away', async (_title, given, proof) => {
    const holds = async (): Promise<unknown> =>
      ((await at().sql(`SELECT ${proof} AS holds`))[0] as Values)['holds'];
    expect(await holds()).toBe(false);
    const grant = await at().driven('Grant').create(given);
    expect(await holds()).toBe(true);
    expect(await grant.refresh()).toBe(true);
    expect(await grant.diff(given)).toMatchObject({ changed: [] });
    const imported = at().driven('Grant');
    expect(await imported.import(grant.id)).toBe(true);
    expect(await imported.diff({ ...given, privileges: imported.inputs['privileges'] })).toMatchObject({
      changed: [],
    });
    await grant.delete();
    expect(await holds()).toBe(false);
    await grant.delete();
    expect(await grant.refresh()).toBe(false);
  });

  const given = { ...tables, privileges: ['SELECT', 'UPDATE'] };
  test.each([
    ['less on one object', 'REVOKE UPDATE ON "Store".orders FROM reader'],
    ['more on one object', 'GRANT DELETE ON "Store"."Items" TO reader'],
    ['an object that came later', 'CREATE TABLE "Store".later ()'],
    ['a privilege that may be given on', 'GRANT SELECT ON "Store".orders TO reader WITH GRANT OPTION'],
  ])('%s is drift, and the next update mends it', async (_title, drift) => {
    const grant = await at().driven('Grant').create(given);
    await at().sql(drift);
    await grant.refresh();
    expect((await grant.diff(given)).changed.length).toBeGreaterThan(0);
    await grant.update(given);
    await grant.refresh();
    expect(await grant.diff(given)).toMatchObject({ changed: [] });
    await grant.delete();
    await at().sql('DROP TABLE IF EXISTS "Store".later');
  });

  test('everybody can be meant', async () => {
    const everybody = { ...tables, role: 'public', objects: ['orders'], privileges: ['SELECT'] };
    const grant = await at().driven('Grant').create(everybody);
    expect(await at().sql(`SELECT has_table_privilege('reader', '"Store".orders', 'SELECT') AS may`)).toEqual(
      [{ may: true }],
    );
    await grant.refresh();
    expect(await grant.diff(everybody)).toMatchObject({ changed: [] });
    await grant.delete();
  });

  test('many at once on the same table all come to their end', async () => {
    const roles = Array.from({ length: 12 }, (_, index) => `crowd_${index}`);
    for (const role of roles) await at().driven('Role').create({ name: role });
    const all = roles.map((role) =>
      at()
        .driven('Grant')
        .create({ ...tables, role, objects: ['orders'], privileges: ['SELECT'] }),
    );
    await Promise.all(all);
    for (const role of roles)
      expect(
        await at().sql(`SELECT has_table_privilege('${role}', '"Store".orders', 'SELECT') AS may`),
      ).toEqual([{ may: true }]);
  });

  test.each<[string, Values, Values[]]>([
    [
      'a privilege that there is not',
      { ...tables, privileges: ['EXECUTE'] },
      [
        {
          property: 'privileges',
          reason: expect.stringContaining('EXECUTE, which is not a privilege on a table; there are SELECT'),
        },
      ],
    ],
    [
      'objects where there are none',
      { ...tables, on: 'schema', objects: ['a'], privileges: ['USAGE'] },
      [{ property: 'objects' }],
    ],
    ['nothing', { ...tables, privileges: [] }, [{ property: 'privileges' }]],
  ])('%s is refused before anything is done', async (_title, wrong, failures) => {
    expect(await at().driven('Grant').check(wrong)).toMatchObject(failures);
  });

  test.each([
    [
      'a table that is not there',
      { objects: ['orders', 'nothing'] },
      /^there is no table nothing in postgres\/Store$/,
    ],
    ['a role that is not there', { role: 'nobody_else' }, /role "nobody_else" does not exist/],
  ])('%s is named', async (_title, wrong, message) => {
    const error = await at()
      .driven('Grant')
      .create({ ...tables, privileges: ['SELECT'], ...wrong })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'NOT_FOUND', message: expect.stringMatching(message) });
    expect(await holdsNothing(at())).toBe(true);
  });

  async function holdsNothing({ sql }: WithServer): Promise<boolean> {
    const rows = await sql(`SELECT 1 FROM pg_class, aclexplode(relacl) WHERE grantee = 'reader'::regrole`);
    return rows.length === 0;
  }
});

describeWithServer('default privileges', (at) => {
  test.each<[string, Values, string, string]>([
    [
      'tables of a schema',
      { on: 'table', schema: 'future' },
      'CREATE TABLE future.t ()',
      `has_table_privilege('consumer', 'future.t', 'SELECT')`,
    ],
    [
      'tables of any schema',
      { on: 'table' },
      'CREATE TABLE future.u ()',
      `has_table_privilege('consumer', 'future.u', 'SELECT')`,
    ],
    [
      'sequences',
      { on: 'sequence', schema: 'future' },
      'CREATE SEQUENCE future.s',
      `has_sequence_privilege('consumer', 'future.s', 'SELECT')`,
    ],
  ])('on %s hold for what comes after', async (_title, given, statement, proof) => {
    await at().sql(
      `DO $$ BEGIN CREATE ROLE maker; CREATE ROLE consumer; CREATE SCHEMA future AUTHORIZATION maker; EXCEPTION WHEN duplicate_object THEN NULL; END $$`,
    );
    const wanted = {
      database: 'postgres',
      owner: 'maker',
      role: 'consumer',
      privileges: ['SELECT'],
      ...given,
    };
    const one = await at().driven('DefaultPrivileges').create(wanted);
    await at().sql(`SET ROLE maker; ${statement}`);
    expect(await at().sql(`SELECT ${proof} AS holds`)).toEqual([{ holds: true }]);
    expect(await one.refresh()).toBe(true);
    expect(await one.diff(wanted)).toMatchObject({ changed: [] });
    const imported = at().driven('DefaultPrivileges');
    expect(await imported.import(one.id)).toBe(true);
    expect(imported.inputs).toMatchObject({ owner: 'maker', role: 'consumer', privileges: ['SELECT'] });

    const more = { ...wanted, privileges: ['SELECT', 'UPDATE'], grantOption: true };
    await one.update(more);
    await one.refresh();
    expect(await one.diff(more)).toMatchObject({ changed: [] });
    await one.delete();
    expect(await one.refresh()).toBe(false);
  });
});
