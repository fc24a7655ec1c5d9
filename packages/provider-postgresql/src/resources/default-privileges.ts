import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { found, spelledOut, unknownPrivileges } from '../privileges/compare.js';
import { EVERYBODY, granteeSql } from '../privileges/kinds.js';
import type { Held } from '../privileges/kinds.js';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { quoted, serverOf } from '../server/server.js';
import type { Session } from '../server/server.js';

/** Kinds of objects that can have them, with PostgreSQL's letter. */
const LETTERS = { table: 'r', sequence: 'S', function: 'f', schema: 'n' } as const;
const KINDS = ['table', 'sequence', 'function', 'schema'] as const;

const inputs = {
  database: nameProperty.replaceOnChange(),
  owner: nameProperty.replaceOnChange().describe('The role whose new objects are meant.'),
  role: nameProperty.replaceOnChange().describe('Who gets the privileges; public: everybody.'),
  on: s
    .oneOf(...KINDS)
    .replaceOnChange()
    .describe('What is created.'),
  schema: nameProperty.optional().replaceOnChange().describe('Where it is created. Absent: in any schema.'),
  privileges: s
    .array(s.string(), { minItems: 1 })
    .describe('For instance SELECT; ALL stands for each that there is.'),
  grantOption: s.boolean().default(false).describe('Whether the role may give them on.'),
};
const { database, owner, role, on, schema, privileges, grantOption } = inputs;
const outputs = { database, owner, role, on, schema, privileges, grantOption };

type Given = ValuesOf<typeof inputs>;
const FORM = 'DATABASE/OWNER/ROLE/ON/SCHEMA';

/**
 * Privileges that a role gets on what another role creates from now on. The id is `DATABASE/OWNER/ROLE/ON/SCHEMA`, the
 * schema empty where any is meant; imported by it.
 */
export const defaultPrivilegesResource = defineResource({
  description: 'Privileges that a role gets on what another role creates from now on: exactly those named.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'owner', 'role', 'on', 'schema'],
  // Saying the same once more leaves the same.
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
    const held = await inDatabase(given, 'read', context, (session) => heldBy(session, given));
    if (held.length === 0) return undefined;
    const now: Given = { ...given, ...found(given.on, known?.inputs, [held]) };
    return { id, inputs: now, outputs: now };
  },

  update: (_old, given, context) => apply(given, 'change', context),

  delete: async ({ inputs: given }, context) => {
    await inDatabase(given, 'delete', context, (session) => revoke(session, given));
  },
});

function idOf({ database, owner, role, on, schema = '' }: Given): string {
  return joinId(database, owner, role, on, schema);
}

function fromId(id: string): Given {
  const [database = '', owner = '', role = '', on = '', schema = ''] = splitId(id, FORM);
  const kind = KINDS.find((one) => one === on);
  if (kind === undefined)
    throw new ProviderError(
      'INVALID_ARGUMENT',
      `the id ${id} has ${on} where one of ${KINDS.join(', ')} belongs`,
    );
  const where = schema === '' ? undefined : schema;
  return { database, owner, role, on: kind, schema: where, privileges: [], grantOption: false };
}

function inDatabase<T>(
  given: Given,
  verb: string,
  context: HandlerContext,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const task = `${verb} the privileges of ${given.role} on ${given.on}s to come of ${given.owner} in ${given.database}`;
  return serverOf(context).inTransaction({ ...context, task }, given.database, work);
}

async function apply(given: Given, verb: string, context: HandlerContext): Promise<Given> {
  await inDatabase(given, verb, context, async (session) => {
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
