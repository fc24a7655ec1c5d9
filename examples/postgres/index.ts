import { Config, interpolate } from '@cairn/sdk';
import { LocalSensitiveFile } from '@cairn/provider-local';
import {
  PostgresqlDatabase,
  PostgresqlGrant,
  PostgresqlMigrations,
  PostgresqlRole,
  PostgresqlSchema,
  readMigrations,
} from '@cairn/provider-postgresql';
import { RandomPassword } from '@cairn/provider-random';

const privileges = new Config().getObject<string[]>('privileges') ?? ['SELECT'];

const password = new RandomPassword('password', { length: 24, special: false });
const owner = new PostgresqlRole('owner', { name: 'shop_owner' });
const app = new PostgresqlRole('app', { name: 'shop_app', login: true, password: password.result });

// Databases and migrated tables hold data, so a rollback leaves them unless an option says otherwise.
const data = { rollback: 'auto' } as const;
const shop = new PostgresqlDatabase('shop', { name: 'shop', owner: owner.name }, data);
const schema = new PostgresqlSchema('schema', { database: shop.name, name: 'shop' });
const where = { database: shop.name, schema: schema.name };
const tables = new PostgresqlMigrations(
  'tables',
  { ...where, migrations: readMigrations('migrations') },
  data,
);

const toApp = { ...where, role: app.name };
new PostgresqlGrant('app-schema', { ...toApp, on: 'schema', privileges: ['USAGE'] });
new PostgresqlGrant('app-tables', { ...toApp, on: 'table', privileges }, { dependsOn: [tables] });
new PostgresqlGrant(
  'app-sequences',
  { ...toApp, on: 'sequence', privileges: ['USAGE'] },
  { dependsOn: [tables] },
);

new LocalSensitiveFile('connection', {
  path: 'connection.env',
  content: interpolate`PGDATABASE=${shop.name}\nPGUSER=${app.name}\nPGPASSWORD=${password.result}\n`,
});

export const database = shop.name;
export const version = tables.version;
