import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { inKnownOrder, nameProperty, namesTooLong } from '../server/names.js';
import { isPassword, scramVerifier } from '../server/scram.js';
import { literal, quoted, serverOf } from '../server/server.js';
import type { Session } from '../server/server.js';

const attributes = {
  login: s.boolean().default(false).describe('Whether it may connect.'),
  superuser: s.boolean().default(false).describe('Whether it is a superuser.'),
  createDatabase: s.boolean().default(false).describe('Whether it may create databases.'),
  createRole: s.boolean().default(false).describe('Whether it may create roles.'),
  inherit: s.boolean().default(true).describe('Whether it inherits the privileges of its groups.'),
  replication: s.boolean().default(false).describe('Whether it may connect for replication.'),
  bypassRowSecurity: s.boolean().default(false).describe('Whether it bypasses row security.'),
  connectionLimit: s
    .integer({ min: -1 })
    .default(-1)
    .describe('Maximum number of connections; -1: any number.'),
};
const inputs = {
  name: nameProperty
    .replaceOnChange()
    .describe('Its name in the server; one that begins with pg_ is refused.'),
  ...attributes,
  password: s
    .string({ minLength: 1 })
    .secret()
    .optional()
    .describe('The server gets and keeps a SCRAM verifier of it, never the password. Absent: none.'),
  memberOf: s.array(nameProperty).default([]).describe('The roles that it is a member of.'),
};
const outputs = {
  name: s
    .string()
    .describe(
      'The name of the role. Refer to it in grants and owners, so that they are created after the role.',
    ),
  ...attributes,
  memberOf: s.array(s.string()).describe('The roles that it is a member of.'),
};

type Given = ValuesOf<typeof inputs>;
type Found = ValuesOf<typeof outputs>;

/** A role: a user if it may log in, else a group. The id is its name, and an import takes it. */
export const roleResource = defineResource({
  description: 'A role: a user where it may log in, else a group.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['name'],
  // A create that is retried after an interruption recognises its own role by the id of the work.
  idempotencyToken: true,

  check: (given) => [
    ...namesTooLong(given, ['name']),
    ...(given.name.startsWith('pg_')
      ? [{ property: 'name', reason: 'must not begin with pg_, which is for roles of the server' }]
      : []),
  ],

  create: async (given, context) => {
    const done = await onServer(given.name, 'create', context, async (session) => {
      const there = (await find(session, given.name)) !== undefined;
      if (context.progressId === undefined) {
        if (there)
          throw new ProviderError(
            'ALREADY_EXISTS',
            `role ${given.name} already exists; import it, or choose another name`,
          );
        await context.progress?.(given.name);
      }
      if (!there) await session.query(`CREATE ROLE ${quoted(given.name)}`);
      return change(session, given, true);
    });
    return { id: given.name, outputs: done };
  },

  /** A password that differs from the known one is reported as missing, so that the next update sets it. */
  read: async (id, known, context) => {
    const role = await onServer(id, 'read', context, (session) => find(session, id));
    if (role === undefined) return undefined;
    const memberOf = inKnownOrder(role.memberOf, known?.inputs.memberOf);
    const password = known?.inputs.password;
    const holds = password !== undefined && (await verified(id, password, context));
    const now: Given = { ...role, memberOf, password: holds ? password : undefined };
    return { id, inputs: now, outputs: { ...role, memberOf } };
  },

  update: ({ inputs: old }, given, context) =>
    onServer(given.name, 'change', context, (session) =>
      change(session, given, old.password !== given.password),
    ),

  delete: async ({ id }, context) => {
    await onServer(id, 'delete', context, (session) => session.query(`DROP ROLE IF EXISTS ${quoted(id)}`));
  },
});

function onServer<T>(
  name: string,
  verb: string,
  context: HandlerContext,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const server = serverOf(context);
  return server.inTransaction({ ...context, task: `${verb} role ${name}` }, server.maintenance, work);
}

async function change(session: Session, given: Given, withPassword: boolean): Promise<Found> {
  const role = quoted(given.name);
  const before = await found(session, given.name);
  await session.query(`ALTER ROLE ${role} WITH ${words(given, before).join(' ')}`);
  if (withPassword) {
    const password = given.password === undefined ? 'NULL' : literal(scramVerifier(given.password));
    await session.query(`ALTER ROLE ${role} PASSWORD ${password}`);
  }
  for (const group of given.memberOf.filter((one) => !before.memberOf.includes(one)))
    await session.query(`GRANT ${quoted(group)} TO ${role}`);
  for (const group of before.memberOf.filter((one) => !given.memberOf.includes(one)))
    await session.query(`REVOKE ${quoted(group)} FROM ${role}`);
  const after = await found(session, given.name);
  return { ...after, memberOf: inKnownOrder(after.memberOf, given.memberOf) };
}

const WORDS = {
  login: 'LOGIN',
  superuser: 'SUPERUSER',
  createDatabase: 'CREATEDB',
  createRole: 'CREATEROLE',
  inherit: 'INHERIT',
  replication: 'REPLICATION',
  bypassRowSecurity: 'BYPASSRLS',
} as const;

/**
 * Returns the SQL words of the connection limit and of changed attributes. Unchanged ones are omitted, because only
 * superusers may name some of them.
 */
function words(given: Given, before: Found): readonly string[] {
  const changed = (Object.keys(WORDS) as (keyof typeof WORDS)[]).filter((key) => given[key] !== before[key]);
  const limit = `CONNECTION LIMIT ${given.connectionLimit}`;
  return [...changed.map((key) => `${given[key] ? '' : 'NO'}${WORDS[key]}`), limit];
}

async function found(session: Session, name: string): Promise<Found> {
  const role = await find(session, name);
  if (role === undefined) throw new ProviderError('NOT_FOUND', `role ${name} is gone`);
  return role;
}

async function find(session: Session, name: string): Promise<Found | undefined> {
  const [row] = await session.query<Found>(
    `SELECT rolname AS name, rolcanlogin AS login, rolsuper AS superuser, rolcreatedb AS "createDatabase",
       rolcreaterole AS "createRole", rolinherit AS inherit, rolreplication AS replication,
       rolbypassrls AS "bypassRowSecurity", rolconnlimit AS "connectionLimit",
       ARRAY(SELECT pg_get_userbyid(roleid)::text FROM pg_auth_members WHERE member = r.oid ORDER BY 1) AS "memberOf"
     FROM pg_roles r WHERE rolname = $1`,
    [name],
  );
  return row;
}

/**
 * Tells whether the role has the password. Uses the verifier if the provider may read it, else tries to connect. An
 * unknown answer counts as unchanged.
 */
async function verified(name: string, password: string, context: HandlerContext): Promise<boolean> {
  const kept = await onServer(name, 'read', context, async (session) => {
    const [may] = await session.query<{ may: boolean }>(
      "SELECT has_column_privilege('pg_authid', 'rolpassword', 'SELECT') AS may",
    );
    if (may?.may !== true) return undefined;
    const [row] = await session.query<{ kept: string | null }>(
      'SELECT rolpassword AS kept FROM pg_authid WHERE rolname = $1',
      [name],
    );
    return row;
  });
  if (kept !== undefined) return kept.kept !== null && (isPassword(kept.kept, password, name) ?? true);
  return (await serverOf(context).passwordWorks(name, password)) ?? true;
}
