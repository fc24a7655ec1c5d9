/** What is in a PostgreSQL server as resources. */
export {
  PostgresqlDatabase,
  PostgresqlDefaultPrivileges,
  PostgresqlExtension,
  PostgresqlGrant,
  PostgresqlMigrations,
  PostgresqlProvider,
  PostgresqlRole,
  PostgresqlSchema,
} from './classes.js';
export type {
  PostgresqlDatabaseArgs,
  PostgresqlDefaultPrivilegesArgs,
  PostgresqlExtensionArgs,
  PostgresqlGrantArgs,
  PostgresqlMigrationsArgs,
  PostgresqlProviderArgs,
  PostgresqlRoleArgs,
  PostgresqlSchemaArgs,
} from './classes.js';
export { readMigrations } from './migrations/read-folder.js';
export type { Applied, Migration } from './migrations/plan.js';
