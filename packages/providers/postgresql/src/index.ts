/** Objects in a PostgreSQL server as resources. */
export * from './generated/classes.js';
export type * from './generated/enums.js';
export { readMigrations } from './migrations/read-folder.js';
export type { AppliedMigration, SqlMigration } from './migrations/plan.js';
