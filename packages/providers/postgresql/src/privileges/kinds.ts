import { quoted } from '../server/server.js';
import type { Session } from '../server/server.js';

/** Kinds of objects that have privileges. */
export type Kind = 'database' | 'schema' | 'table' | 'sequence' | 'function';
export const KINDS = ['database', 'schema', 'table', 'sequence', 'function'] as const;

/** One object that has privileges: its name in statements, and its access list. */
export interface Target {
  readonly name: string;
  /** Name in SQL. */
  readonly sql: string;
  /** Privileges of one role on it. With `grantable`, the role may grant the privilege to others. */
  readonly held: readonly Held[];
}

export interface Held {
  readonly privilege: string;
  readonly grantable: boolean;
}

/** All privileges of a kind, in the order in which PostgreSQL lists them. */
export const PRIVILEGES: Readonly<Record<Kind, readonly string[]>> = {
  database: ['CREATE', 'CONNECT', 'TEMPORARY'],
  schema: ['CREATE', 'USAGE'],
  table: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'],
  sequence: ['USAGE', 'SELECT', 'UPDATE'],
  function: ['EXECUTE'],
};

/** The role that represents all roles. */
export const EVERYBODY = 'public';

/** Returns the name of a role in a statement that grants privileges. */
export function granteeSql(role: string): string {
  return role === EVERYBODY ? 'PUBLIC' : quoted(role);
}

/**
 * Queries of each kind's objects: name, name in SQL, and the access list, `acl`. `$1` is the role, `$2` the schema,
 * `$3` names of objects. An empty `$3` means all objects of the schema.
 */
const OBJECTS: Readonly<Record<Kind, string>> = {
  database: `SELECT datname AS name, quote_ident(datname) AS sql, coalesce(datacl, acldefault('d', datdba)) AS acl
     FROM pg_database WHERE datname = current_database() AND $2::text IS NOT NULL AND $3::text[] IS NOT NULL`,
  schema: `SELECT nspname AS name, quote_ident(nspname) AS sql, coalesce(nspacl, acldefault('n', nspowner)) AS acl
     FROM pg_namespace WHERE nspname = $2 AND $3::text[] IS NOT NULL`,
  table: relations('r', "'r', 'p', 'v', 'm', 'f'"),
  sequence: relations('s', "'S'"),
  function: `SELECT proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name,
       p.oid::regprocedure::text AS sql, coalesce(proacl, acldefault('f', proowner)) AS acl
     FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
     WHERE nspname = $2 AND prokind <> 'p' AND (cardinality($3::text[]) = 0
       OR proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' = ANY ($3))`,
};

function relations(acl: string, relationKinds: string): string {
  return `SELECT relname AS name, quote_ident(nspname) || '.' || quote_ident(relname) AS sql,
       coalesce(relacl, acldefault('${acl}', relowner)) AS acl
     FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = $2 AND relkind IN (${relationKinds}) AND (cardinality($3::text[]) = 0 OR relname = ANY ($3))`;
}

/**
 * Returns a role's privileges on the objects of a kind, by name. An empty `objects` means all existing objects of the
 * schema.
 */
export async function targets(
  session: Session,
  {
    kind,
    role,
    schema,
    objects,
  }: {
    readonly kind: Kind;
    readonly role: string;
    readonly schema: string;
    readonly objects: readonly string[];
  },
): Promise<readonly Target[]> {
  const rows = await session.query<{ name: string; sql: string; held: Held[] | null }>(
    `SELECT name, sql,
       (SELECT json_agg(json_build_object('privilege', privilege_type, 'grantable', is_grantable))
        FROM aclexplode(acl) WHERE grantee = CASE WHEN $1 = '${EVERYBODY}' THEN 0
          ELSE (SELECT oid FROM pg_roles WHERE rolname = $1) END) AS held
     FROM (${OBJECTS[kind]}) objects ORDER BY name`,
    [role, schema, objects],
  );
  return rows.map(({ name, sql, held }) => ({ name, sql, held: held ?? [] }));
}
