import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { found, spelledOut, unknownPrivileges } from '../privileges/compare.js';
import { KINDS, granteeSql, targets } from '../privileges/kinds.js';
import type { Kind, Target } from '../privileges/kinds.js';
import { granted, kindIn } from '../privileges/properties.js';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { inDatabase } from '../server/server.js';
import type { Session } from '../server/server.js';

const inputs = {
  database: nameProperty.replaceOnChange().describe('The database of the objects.'),
  ...granted,
  on: s
    .oneOf(...KINDS)
    .replaceOnChange()
    .describe('What they are on; database: on the database itself.'),
  schema: nameProperty
    .default('public')
    .replaceOnChange()
    .describe('The schema that the objects are in; not used for a database.'),
  objects: s
    .array(s.string({ minLength: 1 }))
    .default([])
    .replaceOnChange()
    .describe(
      'Names of tables, sequences, or functions with the types of their arguments. Empty: all of the schema.',
    ),
};
const { database, role, on, schema, objects, privileges, grantOption } = inputs;
const outputs = { database, role, on, schema, objects, privileges, grantOption };

type Given = ValuesOf<typeof inputs>;
const FORM = 'DATABASE/ROLE/ON/SCHEMA/OBJECTS';

/**
 * All privileges of a role on some objects: exactly the named ones, and others are revoked. The id is
 * `DATABASE/ROLE/ON/SCHEMA/OBJECTS`, with commas between objects, and an import takes it.
 */
export const grantResource = defineResource({
  description:
    'All privileges of a role on a database, a schema or objects of a schema: exactly those named.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'role', 'on', 'schema', 'objects'],
  // Granting the same privileges once more has no further effect.
  idempotencyToken: true,
  repeatable: ['update', 'delete'],

  check: (given) => [
    ...namesTooLong(given, ['database', 'role', 'schema']),
    ...unknownPrivileges(given.on, given.privileges),
    ...((given.on === 'database' || given.on === 'schema') && given.objects.length > 0
      ? [{ property: 'objects', reason: `must be empty for privileges on a ${given.on}` }]
      : []),
  ],

  create: async (given, context) => ({ id: idOf(given), outputs: await apply(given, 'create', context) }),

  read: async (id, known, context) => {
    const given = known?.inputs ?? fromId(id);
    const objectsThere = await inDatabase(context, given.database, taskOf('read', given), (session) =>
      targetsOf(session, given),
    );
    const held = objectsThere.map((target) => target.held);
    if (held.every((one) => one.length === 0)) return undefined;
    const now: Given = { ...given, ...found(given.on, known?.inputs, held) };
    return { id, inputs: now, outputs: now };
  },

  update: (_old, given, context) => apply(given, 'change', context),

  delete: async ({ inputs: given }, context) => {
    await inDatabase(context, given.database, taskOf('delete', given), async (session) => {
      for (const target of await targetsOf(session, given)) await revoke(session, given, target);
    });
  },
});

function idOf(given: Given): string {
  return joinId(given.database, given.role, given.on, given.schema, given.objects.join(','));
}

function fromId(id: string): Given {
  const [database = '', role = '', on = '', schema = '', objects = ''] = splitId(id, FORM);
  const names = objects === '' ? [] : objects.split(/,(?![^(]*\))/);
  return {
    database,
    role,
    on: kindIn(id, on, KINDS),
    schema,
    objects: names,
    privileges: [],
    grantOption: false,
  };
}

function taskOf(verb: string, { on, database, schema, role }: Given): string {
  const where = on === 'database' ? `database ${database}` : `${on}s of ${database}/${schema}`;
  return `${verb} the privileges of ${role} on ${where}`;
}

function targetsOf(session: Session, given: Given): Promise<readonly Target[]> {
  return targets(session, { kind: given.on, ...given });
}

function apply(given: Given, verb: string, context: HandlerContext): Promise<Given> {
  return inDatabase(context, given.database, taskOf(verb, given), async (session) => {
    const there = await targetsOf(session, given);
    const names = there.map(({ name }) => name);
    const missing = given.objects.filter((name) => !names.includes(name));
    if (missing.length > 0 || (there.length === 0 && given.on === 'schema'))
      throw new ProviderError(
        'NOT_FOUND',
        `there is no ${given.on} ${missing.join(', ') || given.schema} in ${given.database}/${given.schema}`,
      );
    for (const target of there) {
      await revoke(session, given, target);
      await give(session, given, target);
    }
    return given;
  });
}

async function revoke(session: Session, { on, role }: Given, { sql }: Target): Promise<void> {
  await session.query(`REVOKE ALL ON ${word(on)} ${sql} FROM ${granteeSql(role)}`);
}

async function give(
  session: Session,
  { on, role, privileges, grantOption }: Given,
  { sql }: Target,
): Promise<void> {
  const option = grantOption ? ' WITH GRANT OPTION' : '';
  const list = spelledOut(on, privileges).join(', ');
  await session.query(`GRANT ${list} ON ${word(on)} ${sql} TO ${granteeSql(role)}${option}`);
}

function word(kind: Kind): string {
  return kind.toUpperCase();
}
