// Written by tools/provider-classes.mjs from the schema of the provider.
import { CustomResource, ProviderResource } from '@cairn/sdk';
import type { CustomResourceOptions, Input, Output, ResourceOptions } from '@cairn/sdk';
import type * as enums from './enums.js';
import type * as inputs from './inputs.js';
import type * as outputs from './outputs.js';

/**
 * An instance of the provider, given to resources as `provider` when the stack's
 * configuration of `cairn-postgresql` is not meant.
 */
export class PostgresqlProvider extends ProviderResource {
  constructor(name: string, args: PostgresqlProviderArgs = {}, options?: ResourceOptions) {
    super('cairn-postgresql', name, args, options);
  }
}

/** What a {@link PostgresqlProvider} is made of. */
export interface PostgresqlProviderArgs {
  /**
   * Seconds to wait for a connection.
   *
   * Default: `15`.
   */
  readonly connectTimeout?: Input<number> | undefined;
  /**
   * Database for statements that belong to no database; it must always exist.
   *
   * Default: `postgres`.
   */
  readonly database?: Input<string> | undefined;
  /** Name, address or folder of the socket. PGHOST, else localhost. */
  readonly host?: Input<string> | undefined;
  /**
   * PGPASSWORD, else the file that PGPASSFILE names.
   *
   * Secret.
   */
  readonly password?: Input<string> | undefined;
  /** PGPORT, else 5432. */
  readonly port?: Input<number> | undefined;
  /** require encrypts, verify-full also checks the certificate. PGSSLMODE, else disable. */
  readonly sslMode?: Input<enums.PostgresqlProviderSslMode> | undefined;
  /** Certificate of the authority for verify-full, PEM. */
  readonly sslRootCert?: Input<string> | undefined;
  /** The role to connect as. PGUSER, else the name of the user of the operating system. */
  readonly user?: Input<string> | undefined;
}

/** A database. It holds data: a rollback deletes it only with the option `rollback: 'auto'`. */
export class PostgresqlDatabase extends CustomResource {
  constructor(name: string, args: PostgresqlDatabaseArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Database', name, args, options);
  }

  /** Whether anybody may connect. */
  get allowConnections(): Output<boolean> {
    return this.outputOf('allowConnections');
  }

  /** Maximum number of connections; -1: any number. */
  get connectionLimit(): Output<number> {
    return this.outputOf('connectionLimit');
  }

  /** Encoding of its texts, for instance UTF8. */
  get encoding(): Output<string> {
    return this.outputOf('encoding');
  }

  /** Its collation. */
  get locale(): Output<string> {
    return this.outputOf('locale');
  }

  /** For the database of what is in it, so that the order is right. */
  get name(): Output<string> {
    return this.outputOf('name');
  }

  /** The role that owns it. */
  get owner(): Output<string> {
    return this.outputOf('owner');
  }
}

/** What a {@link PostgresqlDatabase} is made of. */
export interface PostgresqlDatabaseArgs {
  /**
   * Whether anybody may connect.
   *
   * Default: `true`.
   */
  readonly allowConnections?: Input<boolean> | undefined;
  /**
   * Maximum number of connections; -1: any number.
   *
   * Default: `-1`.
   */
  readonly connectionLimit?: Input<number> | undefined;
  /**
   * Deleting it ends other connections. Otherwise, it fails while there are connections.
   *
   * Default: `false`.
   */
  readonly dropWithConnections?: Input<boolean> | undefined;
  /** Encoding of its texts, for instance UTF8. Absent: the template's. */
  readonly encoding?: Input<string> | undefined;
  /** Collation and character types, for instance C. Absent: the template's. */
  readonly locale?: Input<string> | undefined;
  /** Its name in the server. */
  readonly name: Input<string>;
  /** The role that owns it. Absent: the role that the provider works as. */
  readonly owner?: Input<string> | undefined;
  /** The database that it is copied from. Absent: template1. */
  readonly template?: Input<string> | undefined;
}

/** Privileges that a role gets on what another role creates from now on: exactly those named. */
export class PostgresqlDefaultPrivileges extends CustomResource {
  constructor(name: string, args: PostgresqlDefaultPrivilegesArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:DefaultPrivileges', name, args, options);
  }

  /** The database that they apply to. */
  get database(): Output<string> {
    return this.outputOf('database');
  }

  /** Whether the role may grant them to others. */
  get grantOption(): Output<boolean | undefined> {
    return this.outputOf('grantOption');
  }

  /** What is created. */
  get on(): Output<enums.PostgresqlDefaultPrivilegesOn> {
    return this.outputOf('on');
  }

  /** The role that creates the objects. */
  get owner(): Output<string> {
    return this.outputOf('owner');
  }

  /** For instance SELECT; ALL means all of them. */
  get privileges(): Output<readonly string[]> {
    return this.outputOf('privileges');
  }

  /** Role that gets the privileges; public: every role. */
  get role(): Output<string> {
    return this.outputOf('role');
  }

  /** Where it is created. Absent: in any schema. */
  get schema(): Output<string | undefined> {
    return this.outputOf('schema');
  }
}

/** What a {@link PostgresqlDefaultPrivileges} is made of. */
export interface PostgresqlDefaultPrivilegesArgs {
  /** The database that they apply to. */
  readonly database: Input<string>;
  /**
   * Whether the role may grant them to others.
   *
   * Default: `false`.
   */
  readonly grantOption?: Input<boolean> | undefined;
  /** What is created. */
  readonly on: Input<enums.PostgresqlDefaultPrivilegesOn>;
  /** The role that creates the objects. */
  readonly owner: Input<string>;
  /** For instance SELECT; ALL means all of them. */
  readonly privileges: Input<readonly Input<string>[]>;
  /** Role that gets the privileges; public: every role. */
  readonly role: Input<string>;
  /** Where it is created. Absent: in any schema. */
  readonly schema?: Input<string> | undefined;
}

/** An extension in a database. */
export class PostgresqlExtension extends CustomResource {
  constructor(name: string, args: PostgresqlExtensionArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Extension', name, args, options);
  }

  /** The database that has it. */
  get database(): Output<string> {
    return this.outputOf('database');
  }

  /** Its name. */
  get name(): Output<string> {
    return this.outputOf('name');
  }

  /** The schema of its objects. */
  get schema(): Output<string> {
    return this.outputOf('schema');
  }

  /** The version that is installed. */
  get version(): Output<string> {
    return this.outputOf('version');
  }
}

/** What a {@link PostgresqlExtension} is made of. */
export interface PostgresqlExtensionArgs {
  /** The database that gets it. */
  readonly database: Input<string>;
  /**
   * Deleting it also deletes the objects that use it. Otherwise, that is refused.
   *
   * Default: `false`.
   */
  readonly dropCascade?: Input<boolean> | undefined;
  /** For instance pgcrypto; the server must have its files. */
  readonly name: Input<string>;
  /** Where its objects are. Absent: where the extension itself wants them. */
  readonly schema?: Input<string> | undefined;
  /** Absent: the newest that the server has when it is created. */
  readonly version?: Input<string> | undefined;
}

/** All privileges of a role on a database, a schema or objects of a schema: exactly those named. */
export class PostgresqlGrant extends CustomResource {
  constructor(name: string, args: PostgresqlGrantArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Grant', name, args, options);
  }

  /** The database of the objects. */
  get database(): Output<string> {
    return this.outputOf('database');
  }

  /** Whether the role may grant them to others. */
  get grantOption(): Output<boolean | undefined> {
    return this.outputOf('grantOption');
  }

  /** Names of tables, sequences, or functions with the types of their arguments. Empty: all of the schema. */
  get objects(): Output<readonly string[] | undefined> {
    return this.outputOf('objects');
  }

  /** What they are on; database: on the database itself. */
  get on(): Output<enums.PostgresqlGrantOn> {
    return this.outputOf('on');
  }

  /** For instance SELECT; ALL means all of them. */
  get privileges(): Output<readonly string[]> {
    return this.outputOf('privileges');
  }

  /** Role that gets the privileges; public: every role. */
  get role(): Output<string> {
    return this.outputOf('role');
  }

  /** The schema that the objects are in; not used for a database. */
  get schema(): Output<string | undefined> {
    return this.outputOf('schema');
  }
}

/** What a {@link PostgresqlGrant} is made of. */
export interface PostgresqlGrantArgs {
  /** The database of the objects. */
  readonly database: Input<string>;
  /**
   * Whether the role may grant them to others.
   *
   * Default: `false`.
   */
  readonly grantOption?: Input<boolean> | undefined;
  /** Names of tables, sequences, or functions with the types of their arguments. Empty: all of the schema. */
  readonly objects?: Input<readonly Input<string>[]> | undefined;
  /** What they are on; database: on the database itself. */
  readonly on: Input<enums.PostgresqlGrantOn>;
  /** For instance SELECT; ALL means all of them. */
  readonly privileges: Input<readonly Input<string>[]>;
  /** Role that gets the privileges; public: every role. */
  readonly role: Input<string>;
  /**
   * The schema that the objects are in; not used for a database.
   *
   * Default: `public`.
   */
  readonly schema?: Input<string> | undefined;
}

/** Tables of a database by migrations, each applied once and in order; `readMigrations` reads them from a folder. Deleting undoes them. They hold data: a rollback undoes them only with the option `rollback: 'auto'`. */
export class PostgresqlMigrations extends CustomResource {
  constructor(name: string, args: PostgresqlMigrationsArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Migrations', name, args, options);
  }

  /** What was applied, in order. */
  get applied(): Output<readonly outputs.PostgresqlMigrationsApplied[]> {
    return this.outputOf('applied');
  }

  /** The database of the tables. */
  get database(): Output<string> {
    return this.outputOf('database');
  }

  /** First in the search path of their SQL. */
  get schema(): Output<string> {
    return this.outputOf('schema');
  }

  /** Table of the schema that records the applied migrations. */
  get table(): Output<string> {
    return this.outputOf('table');
  }

  /** Name of the last one applied. */
  get version(): Output<string | undefined> {
    return this.outputOf('version');
  }
}

/** What a {@link PostgresqlMigrations} is made of. */
export interface PostgresqlMigrationsArgs {
  /** The database of the tables. */
  readonly database: Input<string>;
  /** In the order in which they are applied. New ones go to the end; applied ones stay as they are. */
  readonly migrations: Input<readonly Input<inputs.PostgresqlMigrationsMigrations>[]>;
  /**
   * First in the search path of their SQL.
   *
   * Default: `public`.
   */
  readonly schema?: Input<string> | undefined;
  /**
   * Table of the schema that records the applied migrations.
   *
   * Default: `cairn_migrations`.
   */
  readonly table?: Input<string> | undefined;
}

/** A role: a user where it may log in, else a group. */
export class PostgresqlRole extends CustomResource {
  constructor(name: string, args: PostgresqlRoleArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Role', name, args, options);
  }

  /** Whether it bypasses row security. */
  get bypassRowSecurity(): Output<boolean | undefined> {
    return this.outputOf('bypassRowSecurity');
  }

  /** Maximum number of connections; -1: any number. */
  get connectionLimit(): Output<number | undefined> {
    return this.outputOf('connectionLimit');
  }

  /** Whether it may create databases. */
  get createDatabase(): Output<boolean | undefined> {
    return this.outputOf('createDatabase');
  }

  /** Whether it may create roles. */
  get createRole(): Output<boolean | undefined> {
    return this.outputOf('createRole');
  }

  /** Whether it inherits the privileges of its groups. */
  get inherit(): Output<boolean | undefined> {
    return this.outputOf('inherit');
  }

  /** Whether it may connect. */
  get login(): Output<boolean | undefined> {
    return this.outputOf('login');
  }

  /** The roles that it is a member of. */
  get memberOf(): Output<readonly string[]> {
    return this.outputOf('memberOf');
  }

  /** The name of the role. Refer to it in grants and owners, so that they are created after the role. */
  get name(): Output<string> {
    return this.outputOf('name');
  }

  /** Whether it may connect for replication. */
  get replication(): Output<boolean | undefined> {
    return this.outputOf('replication');
  }

  /** Whether it is a superuser. */
  get superuser(): Output<boolean | undefined> {
    return this.outputOf('superuser');
  }
}

/** What a {@link PostgresqlRole} is made of. */
export interface PostgresqlRoleArgs {
  /**
   * Whether it bypasses row security.
   *
   * Default: `false`.
   */
  readonly bypassRowSecurity?: Input<boolean> | undefined;
  /**
   * Maximum number of connections; -1: any number.
   *
   * Default: `-1`.
   */
  readonly connectionLimit?: Input<number> | undefined;
  /**
   * Whether it may create databases.
   *
   * Default: `false`.
   */
  readonly createDatabase?: Input<boolean> | undefined;
  /**
   * Whether it may create roles.
   *
   * Default: `false`.
   */
  readonly createRole?: Input<boolean> | undefined;
  /**
   * Whether it inherits the privileges of its groups.
   *
   * Default: `true`.
   */
  readonly inherit?: Input<boolean> | undefined;
  /**
   * Whether it may connect.
   *
   * Default: `false`.
   */
  readonly login?: Input<boolean> | undefined;
  /** The roles that it is a member of. */
  readonly memberOf?: Input<readonly Input<string>[]> | undefined;
  /** Its name in the server; one that begins with pg_ is refused. */
  readonly name: Input<string>;
  /**
   * The server gets and keeps a SCRAM verifier of it, never the password. Absent: none.
   *
   * Secret.
   */
  readonly password?: Input<string> | undefined;
  /**
   * Whether it may connect for replication.
   *
   * Default: `false`.
   */
  readonly replication?: Input<boolean> | undefined;
  /**
   * Whether it is a superuser.
   *
   * Default: `false`.
   */
  readonly superuser?: Input<boolean> | undefined;
}

/** A schema of a database. */
export class PostgresqlSchema extends CustomResource {
  constructor(name: string, args: PostgresqlSchemaArgs, options?: CustomResourceOptions) {
    super('cairn-postgresql:index:Schema', name, args, options);
  }

  /** The database that it is in. */
  get database(): Output<string> {
    return this.outputOf('database');
  }

  /** For the schema of what is in it, so that the order is right. */
  get name(): Output<string> {
    return this.outputOf('name');
  }

  /** The role that owns it. */
  get owner(): Output<string> {
    return this.outputOf('owner');
  }
}

/** What a {@link PostgresqlSchema} is made of. */
export interface PostgresqlSchemaArgs {
  /** The database that it is in. */
  readonly database: Input<string>;
  /**
   * Deleting it deletes its content. Otherwise, it is only deleted when it is empty.
   *
   * Default: `false`.
   */
  readonly dropCascade?: Input<boolean> | undefined;
  /** Its name in the database. */
  readonly name: Input<string>;
  /** The role that owns it. Absent: the role that the provider works as. */
  readonly owner?: Input<string> | undefined;
}
