import { DrivenResource } from '@cairn/testkit/driven-resource';
import { configured, describeWithServer } from './with-server.js';

type Values = Readonly<Record<string, unknown>>;

describeWithServer('a database', (at) => {
  test('is made, changed in place, seen drifting, and deleted once', async () => {
    const database = await at()
      .driven('Database')
      .create({ name: 'shop', encoding: 'UTF8', template: 'template0' });
    expect(database.outputs).toMatchObject({
      name: 'shop',
      owner: 'cairn',
      encoding: 'UTF8',
      connectionLimit: -1,
    });
    await at().driven('Role').create({ name: 'shop_owner' });
    const given = {
      name: 'shop',
      encoding: 'UTF8',
      template: 'template0',
      owner: 'shop_owner',
      connectionLimit: 5,
    };
    await database.update(given);
    expect(
      await at().sql(
        `SELECT datconnlimit, pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = 'shop'`,
      ),
    ).toEqual([{ datconnlimit: 5, owner: 'shop_owner' }]);

    await at().sql('ALTER DATABASE shop CONNECTION LIMIT 9');
    expect(await database.refresh()).toBe(true);
    expect(await database.diff(given)).toMatchObject({ changed: ['connectionLimit'], replace: [] });
    expect(await database.diff({ ...given, encoding: 'SQL_ASCII', connectionLimit: 9 })).toMatchObject({
      replace: ['encoding'],
      first: true,
    });

    await database.delete();
    await database.delete();
    expect(await database.refresh()).toBe(false);
  });

  test('what can be said when it is made is said then, in one statement', async () => {
    const given = { name: 'closed', owner: 'closed_owner', allowConnections: false, connectionLimit: 2 };
    await at().sql('CREATE ROLE closed_owner');
    const closed = await at().driven('Database').create(given);
    expect(closed.outputs).toMatchObject(given);
    await closed.delete();
  });

  test('one that is there already is not taken over', async () => {
    await at().sql('CREATE DATABASE elsewhere');
    await expect(at().driven('Database').create({ name: 'elsewhere' })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
      message: expect.stringContaining('import it'),
    });
    const imported = at().driven('Database');
    expect(await imported.import('elsewhere')).toBe(true);
    expect(imported.inputs).toMatchObject({ name: 'elsewhere', owner: 'cairn', connectionLimit: -1 });
    expect(await at().driven('Database').import('nowhere')).toBe(false);
  });

  test('while others are connected it is deleted only when that is asked for', async () => {
    const database = await at().driven('Database').create({ name: 'busy' });
    const other = at()
      .sql('SELECT pg_sleep(30)', { database: 'busy' })
      .catch((error: Error) => error.message);
    await connected('busy');
    await expect(database.delete()).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/cannot delete database busy.*being accessed/),
    });
    await database.update({ name: 'busy', dropWithConnections: true });
    await database.delete();
    expect(await other).toMatch(/terminat/);
  });

  test('a name that the server would cut is refused', async () => {
    const long = `${'x'.repeat(62)}é`;
    expect(await at().driven('Database').check({ name: long })).toEqual([
      { property: 'name', reason: 'must not be longer than 63 bytes of UTF-8' },
    ]);
  });

  async function connected(name: string): Promise<void> {
    for (;;) {
      const rows = await at().sql(`SELECT 1 FROM pg_stat_activity WHERE datname = '${name}'`);
      if (rows.length > 0) return;
    }
  }
});

describeWithServer('a role', (at) => {
  test('gets a password that is never sent, and whose change is seen', async () => {
    await at().sql('ALTER SYSTEM SET log_statement = ddl');
    const role = await at().driven('Role').create({ name: 'ann', login: true, password: 'pässwörd 1' });
    expect(Object.keys(role.outputs)).not.toContain('password');
    const [row] = await at().sql(`SELECT rolpassword FROM pg_authid WHERE rolname = 'ann'`);
    expect((row as { rolpassword: string }).rolpassword).toMatch(/^SCRAM-SHA-256\$4096:/);
    const ann = { user: 'ann', password: 'pässwörd 1' };
    expect(await at().sql('SELECT current_user AS who', ann)).toEqual([{ who: 'ann' }]);

    const given = { name: 'ann', login: true, password: 'pässwörd 1' };
    expect(await role.refresh()).toBe(true);
    expect(await role.diff(given)).toMatchObject({ changed: [] });
    await at().sql(`ALTER ROLE ann PASSWORD 'other'`);
    await role.refresh();
    expect(await role.diff(given)).toMatchObject({ changed: ['password'], replace: [] });
    await role.update(given);
    expect(await at().sql('SELECT 1 AS one', ann)).toEqual([{ one: 1 }]);
    await role.update({ name: 'ann', login: true });
    await expect(at().sql('SELECT 1', ann)).rejects.toMatchObject({ code: '28P01' });
  });

  test('a provider that may not read verifiers finds a changed password by trying it', async () => {
    await at().driven('Role').create({ name: 'admin', login: true, createRole: true, password: 'a' });
    const weak = new DrivenResource(
      await configured(at().server, { user: 'admin', password: 'a' }),
      'cairn-postgresql:index:Role',
    );
    const given = { name: 'eve', login: true, password: 'one' };
    await weak.create(given);
    await weak.refresh();
    expect(await weak.diff(given)).toMatchObject({ changed: [] });
    await at().sql(`ALTER ROLE eve PASSWORD 'two'`);
    await weak.refresh();
    expect(await weak.diff(given)).toMatchObject({ changed: ['password'] });
  });

  test.each<[string, Values, Values]>([
    [
      'attributes',
      { createDatabase: true, inherit: false, connectionLimit: 3 },
      { rolcreatedb: true, rolinherit: false, rolconnlimit: 3 },
    ],
    [
      'rights of superusers',
      { superuser: true, replication: true, bypassRowSecurity: true },
      { rolsuper: true, rolreplication: true, rolbypassrls: true },
    ],
  ])('%s are set, seen and taken back', async (title, given, expected) => {
    const name = title.replaceAll(' ', '_');
    const role = await at()
      .driven('Role')
      .create({ name, ...given });
    expect((await at().sql(`SELECT * FROM pg_roles WHERE rolname = '${name}'`))[0]).toMatchObject(expected);
    await at().sql(
      `ALTER ROLE ${name} NOSUPERUSER NOREPLICATION NOBYPASSRLS NOCREATEDB INHERIT CONNECTION LIMIT 1`,
    );
    await role.refresh();
    expect((await role.diff({ name, ...given })).changed.length).toBeGreaterThan(0);
    await role.update({ name, ...given });
    expect((await at().sql(`SELECT * FROM pg_roles WHERE rolname = '${name}'`))[0]).toMatchObject(expected);
    await role.update({ name });
    await role.refresh();
    expect(await role.diff({ name })).toMatchObject({ changed: [] });
  });

  test('memberships are what they are said to be, in any order', async () => {
    for (const name of ['readers', 'Writers']) await at().driven('Role').create({ name });
    const role = await at()
      .driven('Role')
      .create({ name: 'bob', memberOf: ['readers', 'Writers'] });
    await role.refresh();
    expect(role.outputs['memberOf']).toEqual(['readers', 'Writers']);
    await role.update({ name: 'bob', memberOf: ['Writers'] });
    await role.refresh();
    expect(role.inputs['memberOf']).toEqual(['Writers']);
  });

  test('one that owns something is not deleted, and the reason names it', async () => {
    const role = await at().driven('Role').create({ name: 'landlord' });
    await at().sql('CREATE DATABASE estate OWNER landlord');
    await expect(role.delete()).rejects.toMatchObject({
      code: 'FAILED_PRECONDITION',
      message: expect.stringMatching(/cannot delete role landlord: .*owner of database estate/),
    });
  });

  test('a name of the server is refused', async () => {
    expect(await at().driven('Role').check({ name: 'pg_me' })).toMatchObject([{ property: 'name' }]);
  });
});

describeWithServer('schemas and extensions', (at) => {
  test('a schema is made, its owner changed, and deleted only when it is empty', async () => {
    await at().driven('Role').create({ name: 'keeper' });
    const schema = await at().driven('Schema').create({ database: 'postgres', name: 'a/b%' });
    expect([schema.id, schema.outputs]).toEqual([
      'postgres/a%2Fb%25',
      { database: 'postgres', name: 'a/b%', owner: 'cairn' },
    ]);
    const given = { database: 'postgres', name: 'a/b%', owner: 'keeper' };
    await schema.update(given);
    const imported = at().driven('Schema');
    expect(await imported.import(schema.id)).toBe(true);
    expect(imported.inputs).toEqual({ ...given, dropCascade: false });
    await at().sql('CREATE TABLE "a/b%".t ()');
    await expect(schema.delete()).rejects.toMatchObject({ message: expect.stringContaining('depend on it') });
    await schema.update({ ...given, dropCascade: true });
    await schema.delete();
    expect(await schema.refresh()).toBe(false);
  });

  test('an id of another form is refused', async () => {
    await expect(at().driven('Schema').import('alone')).rejects.toMatchObject({
      message: expect.stringContaining('is not of the form DATABASE/NAME'),
    });
  });

  test('an extension is made where and as it is asked for', async () => {
    await at().driven('Schema').create({ database: 'postgres', name: 'tools' });
    const extension = await at()
      .driven('Extension')
      .create({ database: 'postgres', name: 'plpgsql' })
      .catch((error: unknown) => error);
    expect(extension).toMatchObject({ code: 'ALREADY_EXISTS' });
    const imported = at().driven('Extension');
    expect(await imported.import('postgres/plpgsql')).toBe(true);
    expect(imported.outputs).toMatchObject({ name: 'plpgsql', schema: 'pg_catalog' });
    await expect(
      at().driven('Extension').create({ database: 'postgres', name: 'no_such_thing' }),
    ).rejects.toMatchObject({
      message: expect.stringContaining('cannot create extension no_such_thing of database postgres'),
    });
  });
});

describeWithServer('a call that was cut off', (at) => {
  test.each(['Database', 'Role', 'Schema'])(
    '%s: what its first attempt had made is taken over, by the id of the work',
    async (type) => {
      const name = `cut_${type.toLowerCase()}`;
      const given = type === 'Schema' ? { database: 'postgres', name } : { name };
      const begun: string[] = [];
      const first = await at()
        .driven(type)
        .create(given, { onProgressId: async (id) => void begun.push(id) });
      expect(begun).toEqual([first.id]);
      const again = await at().driven(type).create(given, { progressId: first.id });
      expect(again.id).toBe(first.id);
      await expect(at().driven(type).create(given)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
      await again.delete();
      // The create had begun without a result: it is done now.
      expect((await at().driven(type).create(given, { progressId: first.id })).id).toBe(first.id);
    },
  );

  test('a cancelled statement is given up by the server, so that nothing was done', async () => {
    const made = await configured(at().server);
    const migrations = new DrivenResource(made, 'cairn-postgresql:index:Migrations');
    const up = 'CREATE TABLE slow (); SELECT pg_sleep(60)';
    const call = migrations
      .create({ database: 'postgres', table: 'slow_ones', migrations: [{ name: '1', up }] })
      .catch((error: unknown) => error);
    for (let running = false; !running;) {
      running = (await at().sql(`SELECT 1 FROM pg_stat_activity WHERE query = '${up}'`)).length > 0;
    }
    await made.cancel();
    expect(await call).toMatchObject({ reasons: [expect.stringContaining('SQLSTATE 57014')] });
    expect(await at().sql(`SELECT to_regclass('slow') AS there`)).toEqual([{ there: null }]);
  });

  test('a connection that breaks leaves the object in doubt', async () => {
    const made = await configured(at().server);
    const migrations = new DrivenResource(made, 'cairn-postgresql:index:Migrations');
    const up = 'SELECT pg_sleep(61)';
    const call = migrations
      .create({ database: 'postgres', table: 'broken', migrations: [{ name: '1', up }] })
      .catch((error: unknown) => error);
    for (let pid: unknown; pid === undefined;) {
      const [row] = await at().sql(`SELECT pid FROM pg_stat_activity WHERE query = '${up}'`);
      pid = (row as { pid?: number } | undefined)?.pid;
      if (pid !== undefined) await at().sql(`SELECT pg_terminate_backend(${pid as number})`);
    }
    const error = await call;
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toHaveProperty('code');
  });
});

describeWithServer('configuration', (at) => {
  test.each<[string, Values, string, RegExp]>([
    ['a wrong password', { password: 'wrong' }, 'UNAUTHENTICATED', /password authentication failed/],
    ['no server', { port: 1 }, 'UNAVAILABLE', /cannot connect to PostgreSQL at 127.0.0.1:1: .*ECONNREFUSED/],
    ['no such database', { database: 'none' }, 'NOT_FOUND', /database "none" does not exist/],
    [
      'encryption that the server does not offer',
      { sslMode: 'require' },
      'UNAVAILABLE',
      /does not support SSL/,
    ],
  ])('%s: a definite error, nothing was done', async (_title, given, code, message) => {
    const role = new DrivenResource(await configured(at().server, given), 'cairn-postgresql:index:Role');
    const error = await role.create({ name: 'nobody_there' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });
});
