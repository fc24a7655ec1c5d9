// Written by tools/provider-classes.mjs from the schema of the provider.
/** Object types as outputs have them. */
export interface PostgresqlMigrationsApplied {
  /** Of the SQL that made the change: SHA-256, hexadecimal. */
  readonly checksum: string;
  /** Of the migration. */
  readonly name: string;
}
