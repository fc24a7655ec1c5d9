import { CustomResource, ProviderResource } from '@cairn/sdk';
import type { CustomResourceOptions, Output, ResourceOptions } from '@cairn/sdk';
import type { ArgsOf } from '@cairn/provider-sdk';
import type { migrationsResource } from './migrations/migrations.js';
import type { Applied } from './migrations/plan.js';
import type { databaseResource } from './resources/database.js';
import type { defaultPrivilegesResource } from './resources/default-privileges.js';
import type { extensionResource } from './resources/extension.js';
import type { grantResource } from './resources/grant.js';
import type { roleResource } from './resources/role.js';
import type { schemaResource } from './resources/schema.js';
import type { configuration } from './server/settings.js';

/** Which server, and as whom. */
export type PostgresqlProviderArgs = ArgsOf<typeof configuration>;

/**
 * An instance of the provider for one server: given to resources as `provider`, when the stack's configuration
 * (`cairn-postgresql:host` and so on) is not what is meant.
 */
export class PostgresqlProvider extends ProviderResource {
  constructor(name: string, args: PostgresqlProviderArgs, options?: ResourceOptions) {
    super('cairn-postgresql', name, args, options);
  }
}

/** What a {@link PostgresqlDatabase} is to be. */
export type PostgresqlDatabaseArgs = ArgsOf<typeof databaseResource.inputs>;

/** A database. It holds data: a rollback deletes it only with the option `rollback: 'auto'`. */
export class PostgresqlDatabase extends CustomResource {
  constructor(name: string, args: PostgresqlDatabaseArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Database', name, args, options);
  }

  /** For the `database` of what is in it, so that the order is right. */
  get name(): Output<string> {
    return this.outputOf('name');
  }

  get owner(): Output<string> {
    return this.outputOf('owner');
  }

  /** Of its texts, for instance `UTF8`. */
  get encoding(): Output<string> {
    return this.outputOf('encoding');
  }

  /** Its collation. */
  get locale(): Output<string> {
    return this.outputOf('locale');
  }
}

/** What a {@link PostgresqlRole} is to be. */
export type PostgresqlRoleArgs = ArgsOf<typeof roleResource.inputs>;

/** A role: a user where it may log in, else a group. */
export class PostgresqlRole extends CustomResource {
  constructor(name: string, args: PostgresqlRoleArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Role', name, args, options);
  }

  get name(): Output<string> {
    return this.outputOf('name');
  }

  /** The roles that it is a member of. */
  get memberOf(): Output<readonly string[]> {
    return this.outputOf('memberOf');
  }
}

/** What a {@link PostgresqlSchema} is to be. */
export type PostgresqlSchemaArgs = ArgsOf<typeof schemaResource.inputs>;

/** A schema of a database. */
export class PostgresqlSchema extends CustomResource {
  constructor(name: string, args: PostgresqlSchemaArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Schema', name, args, options);
  }

  get name(): Output<string> {
    return this.outputOf('name');
  }

  get database(): Output<string> {
    return this.outputOf('database');
  }

  get owner(): Output<string> {
    return this.outputOf('owner');
  }
}

/** What a {@link PostgresqlExtension} is to be. */
export type PostgresqlExtensionArgs = ArgsOf<typeof extensionResource.inputs>;

/** An extension in a database. */
export class PostgresqlExtension extends CustomResource {
  constructor(name: string, args: PostgresqlExtensionArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Extension', name, args, options);
  }

  /** The schema of its objects. */
  get schema(): Output<string> {
    return this.outputOf('schema');
  }

  get version(): Output<string> {
    return this.outputOf('version');
  }
}

/** What a {@link PostgresqlGrant} is to be. */
export type PostgresqlGrantArgs = ArgsOf<typeof grantResource.inputs>;

/** All privileges of a role on a database, a schema or objects of a schema: exactly those named. */
export class PostgresqlGrant extends CustomResource {
  constructor(name: string, args: PostgresqlGrantArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Grant', name, args, options);
  }

  get privileges(): Output<readonly string[]> {
    return this.outputOf('privileges');
  }
}

/** What {@link PostgresqlDefaultPrivileges} are to be. */
export type PostgresqlDefaultPrivilegesArgs = ArgsOf<typeof defaultPrivilegesResource.inputs>;

/** Privileges that a role gets on what another role creates from now on: exactly those named. */
export class PostgresqlDefaultPrivileges extends CustomResource {
  constructor(name: string, args: PostgresqlDefaultPrivilegesArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:DefaultPrivileges', name, args, options);
  }

  get privileges(): Output<readonly string[]> {
    return this.outputOf('privileges');
  }
}

/** What {@link PostgresqlMigrations} are to be. */
export type PostgresqlMigrationsArgs = ArgsOf<typeof migrationsResource.inputs>;

/**
 * Tables by migrations, each applied once and in order; `readMigrations` reads them from a folder. Deleting undoes
 * them. They hold data: a rollback undoes them only with the option `rollback: 'auto'`.
 */
export class PostgresqlMigrations extends CustomResource {
  constructor(name: string, args: PostgresqlMigrationsArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Migrations', name, args, options);
  }

  /** What was applied, in order, with the checksum (SHA-256) of its SQL. */
  get applied(): Output<readonly Applied[]> {
    return this.outputOf('applied');
  }

  /** Name of the last one applied. */
  get version(): Output<string | undefined> {
    return this.outputOf('version');
  }
}
