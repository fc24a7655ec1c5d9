import { quoted } from '../server/server.js';
import type { Session } from '../server/server.js';

/** What privileges can be on. */
export type Kind = 'database' | 'schema' | 'table' | 'sequence' | 'function';
export const KINDS = ['database', 'schema', 'table', 'sequence', 'function'] as const;

/** One object that has privileges: how a statement names it, and its access list. */
export interface Target {
  readonly name: string;
  /** As SQL names it. */
  readonly sql: string;
  /** Privileges of one role on it; with `grantable`, whether the role may give it on. */
  readonly held: readonly Held[];
}

export interface Held {
  readonly privilege: string;
  readonly grantable: boolean;
}

/** All privileges that there are on a kind, in the order in which PostgreSQL lists them. */
export const PRIVILEGES: Readonly<Record<Kind, readonly string[]>> = {
  database: ['CREATE', 'CONNECT', 'TEMPORARY'],
  schema: ['CREATE', 'USAGE'],
  table: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'],
  sequence: ['USAGE', 'SELECT', 'UPDATE'],
  function: ['EXECUTE'],
};

/** The role by which everybody is meant. */
export const EVERYBODY = 'public';

/** A role as a statement that gives privileges names it. */
export function granteeSql(role: string): string {
  return role === EVERYBODY ? 'PUBLIC' : quoted(role);
}

/**
 * For each kind, the query of its objects: name, how SQL names it, and the access list, `acl`. `$1`: the role, `$2`:
 * the schema, `$3`: names of objects, empty for all of the schema.
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

/** What a role holds on the objects of a kind, by name. `objects` empty: on all that the schema has now. */
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
