import { defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { found, spelledOut, unknownPrivileges } from '../privileges/compare.js';
import { EVERYBODY, granteeSql } from '../privileges/kinds.js';
import type { Held } from '../privileges/kinds.js';
import { granted, kindIn } from '../privileges/properties.js';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { inDatabase, quoted } from '../server/server.js';
import type { Session } from '../server/server.js';

/** Kinds of objects that can have them, with PostgreSQL's letter. */
const LETTERS = { table: 'r', sequence: 'S', function: 'f', schema: 'n' } as const;
const KINDS = ['table', 'sequence', 'function', 'schema'] as const;

const inputs = {
  database: nameProperty.replaceOnChange().describe('The database that they apply to.'),
  owner: nameProperty.replaceOnChange().describe('The role that creates the objects.'),
  ...granted,
  on: s
    .oneOf(...KINDS)
    .replaceOnChange()
    .describe('What is created.'),
  schema: nameProperty.optional().replaceOnChange().describe('Where it is created. Absent: in any schema.'),
};
const { database, owner, role, on, schema, privileges, grantOption } = inputs;
const outputs = { database, owner, role, on, schema, privileges, grantOption };

type Given = ValuesOf<typeof inputs>;
const FORM = 'DATABASE/OWNER/ROLE/ON/SCHEMA';

/**
 * Privileges of a role on objects that another role creates in the future. The id is `DATABASE/OWNER/ROLE/ON/SCHEMA`,
 * with an empty schema for any, and an import takes it.
 */
export const defaultPrivilegesResource = defineResource({
  description: 'Privileges that a role gets on what another role creates from now on: exactly those named.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'owner', 'role', 'on', 'schema'],
  // Setting the same default privileges once more has no further effect.
  idempotencyToken: true,
  repeatable: ['update', 'delete'],

  check: (given) => [
    ...namesTooLong(given, ['database', 'owner', 'role', 'schema']),
    ...unknownPrivileges(given.on, given.privileges),
    ...(given.on === 'schema' && given.schema !== undefined
      ? [{ property: 'schema', reason: 'must be absent for privileges on new schemas' }]
      : []),
  ],

  create: async (given, context) => ({ id: idOf(given), outputs: await apply(given, 'create', context) }),

  read: async (id, known, context) => {
    const given = known?.inputs ?? fromId(id);
    const held = await inDatabase(context, given.database, taskOf('read', given), (session) =>
      heldBy(session, given),
    );
    if (held.length === 0) return undefined;
    const now: Given = { ...given, ...found(given.on, known?.inputs, [held]) };
    return { id, inputs: now, outputs: now };
  },

  update: (_old, given, context) => apply(given, 'change', context),

  delete: async ({ inputs: given }, context) => {
    await inDatabase(context, given.database, taskOf('delete', given), (session) => revoke(session, given));
  },
});

function idOf({ database, owner, role, on, schema = '' }: Given): string {
  return joinId(database, owner, role, on, schema);
}

function fromId(id: string): Given {
  const [database = '', owner = '', role = '', on = '', schema = ''] = splitId(id, FORM);
  const where = schema === '' ? undefined : schema;
  return {
    database,
    owner,
    role,
    on: kindIn(id, on, KINDS),
    schema: where,
    privileges: [],
    grantOption: false,
  };
}

function taskOf(verb: string, { database, owner, role, on }: Given): string {
  return `${verb} the privileges of ${role} on ${on}s to come of ${owner} in ${database}`;
}

async function apply(given: Given, verb: string, context: HandlerContext): Promise<Given> {
  await inDatabase(context, given.database, taskOf(verb, given), async (session) => {
    await revoke(session, given);
    const list = spelledOut(given.on, given.privileges).join(', ');
    const option = given.grantOption ? ' WITH GRANT OPTION' : '';
    await session.query(
      `${beginning(given)} GRANT ${list} ON ${plural(given)} TO ${granteeSql(given.role)}${option}`,
    );
  });
  return given;
}

async function revoke(session: Session, given: Given): Promise<void> {
  await session.query(`${beginning(given)} REVOKE ALL ON ${plural(given)} FROM ${granteeSql(given.role)}`);
}

function beginning({ owner, schema }: Given): string {
  const where = schema === undefined ? '' : ` IN SCHEMA ${quoted(schema)}`;
  return `ALTER DEFAULT PRIVILEGES FOR ROLE ${quoted(owner)}${where}`;
}

function plural({ on }: Given): string {
  return `${on.toUpperCase()}S`;
}

async function heldBy(session: Session, { owner, role, on, schema }: Given): Promise<readonly Held[]> {
  const rows = await session.query<Held & Record<string, unknown>>(
    `SELECT privilege_type AS privilege, is_grantable AS grantable
     FROM pg_default_acl JOIN pg_roles owner ON owner.oid = defaclrole, aclexplode(defaclacl) one
     WHERE owner.rolname = $1 AND defaclobjtype = $3
       AND defaclnamespace = CASE WHEN $4::text IS NULL THEN 0
         ELSE coalesce((SELECT oid FROM pg_namespace WHERE nspname = $4), 1) END
       AND one.grantee = CASE WHEN $2 = '${EVERYBODY}' THEN 0
         ELSE (SELECT oid FROM pg_roles WHERE rolname = $2) END`,
    [owner, role, LETTERS[on], schema ?? null],
  );
  return rows.map(({ privilege, grantable }) => ({ privilege, grantable }));
}
