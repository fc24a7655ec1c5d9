// Written by tools/provider-classes.mjs from the schema of the provider.
export type PostgresqlConfigSslMode = 'disable' | 'require' | 'verify-full';

export type PostgresqlDefaultPrivilegesOn = 'table' | 'sequence' | 'function' | 'schema';

export type PostgresqlGrantOn = 'database' | 'schema' | 'table' | 'sequence' | 'function';

export type PostgresqlProviderSslMode = 'disable' | 'require' | 'verify-full';
