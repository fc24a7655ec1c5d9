import { defineProvider } from '@cairn/provider-sdk';
import { migrationsResource } from './migrations/migrations.js';
import { databaseResource } from './resources/database.js';
import { defaultPrivilegesResource } from './resources/default-privileges.js';
import { extensionResource } from './resources/extension.js';
import { grantResource } from './resources/grant.js';
import { roleResource } from './resources/role.js';
import { schemaResource } from './resources/schema.js';
import { configuration } from './server/settings.js';

/** The package `cairn-postgresql`. */
export const postgresqlProvider = defineProvider({
  name: 'cairn-postgresql',
  version: '0.1.0',
  description:
    'Objects of a PostgreSQL server: databases, roles, schemas, extensions, privileges, migrated tables.',
  config: configuration,
  compares: 'arguments',
  resources: {
    'index:Database': databaseResource,
    'index:DefaultPrivileges': defaultPrivilegesResource,
    'index:Extension': extensionResource,
    'index:Grant': grantResource,
    'index:Migrations': migrationsResource,
    'index:Role': roleResource,
    'index:Schema': schemaResource,
  },
});
