import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { ValuesOf } from '@cairn/provider-sdk';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { literal, quoted, inDatabase } from '../server/server.js';
import type { Session } from '../server/server.js';
import { managed } from './managed.js';

const inputs = {
  database: nameProperty.replaceOnChange().describe('The database that gets it.'),
  name: nameProperty.replaceOnChange().describe('For instance pgcrypto; the server must have its files.'),
  schema: nameProperty
    .optional()
    .describe('Where its objects are. Absent: where the extension itself wants them.'),
  version: s.string().optional().describe('Absent: the newest that the server has when it is created.'),
  dropCascade: s
    .boolean()
    .default(false)
    .describe('Deleting it also deletes the objects that use it. Otherwise, that is refused.'),
};
const outputs = {
  database: s.string().describe('The database that has it.'),
  name: s.string().describe('Its name.'),
  schema: s.string().describe('The schema of its objects.'),
  version: s.string().describe('The version that is installed.'),
};

type Given = ValuesOf<typeof inputs>;
type Found = { readonly schema: string; readonly version: string };

/** An extension in a database. The id is `DATABASE/NAME`, and an import takes it. */
export const extensionResource = defineResource({
  description: 'An extension in a database.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'name'],
  // A create that is retried after an interruption recognises its own extension by the id of the work.
  idempotencyToken: true,

  check: (given) => namesTooLong(given, ['database', 'name', 'schema']),

  create: async (given, context) => {
    const { database, name, schema, version } = given;
    const id = joinId(database, name);
    const done = await inDatabase(context, given.database, taskOf('create', given), async (session) => {
      const there = await find(session, name);
      if (context.progressId === undefined) {
        if (there !== undefined)
          throw new ProviderError('ALREADY_EXISTS', `extension ${id} already exists; import it by this id`);
        await context.progress?.(id);
      }
      const where = schema === undefined ? '' : ` SCHEMA ${quoted(schema)}`;
      const which = version === undefined ? '' : ` VERSION ${literal(version)}`;
      if (there === undefined) await session.query(`CREATE EXTENSION ${quoted(name)}${where}${which}`);
      return change(session, given);
    });
    return { id, outputs: done };
  },

  read: async (id, known, context) => {
    const [database = '', name = ''] = splitId(id, 'DATABASE/NAME');
    const found = await inDatabase(context, database, taskOf('read', { database, name }), (session) =>
      find(session, name),
    );
    if (found === undefined) return undefined;
    const now: Given = {
      ...{ database, name },
      schema: managed(known, known?.inputs.schema, found.schema),
      version: managed(known, known?.inputs.version, found.version),
      dropCascade: known?.inputs.dropCascade ?? false,
    };
    return { id, inputs: now, outputs: { database, name, ...found } };
  },

  update: (_old, given, context) =>
    inDatabase(context, given.database, taskOf('change', given), (session) => change(session, given)),

  delete: async ({ inputs: given }, context) => {
    const how = given.dropCascade ? 'CASCADE' : 'RESTRICT';
    await inDatabase(context, given.database, taskOf('delete', given), (session) =>
      session.query(`DROP EXTENSION IF EXISTS ${quoted(given.name)} ${how}`),
    );
  },
});

async function change(session: Session, given: Given): Promise<ValuesOf<typeof outputs>> {
  const { database, name, schema, version } = given;
  const found = await find(session, name);
  const extension = `ALTER EXTENSION ${quoted(name)}`;
  if (version !== undefined && version !== found?.version)
    await session.query(`${extension} UPDATE TO ${literal(version)}`);
  if (schema !== undefined && schema !== found?.schema)
    await session.query(`${extension} SET SCHEMA ${quoted(schema)}`);
  const now = await find(session, name);
  if (now === undefined) throw new ProviderError('NOT_FOUND', `extension ${name} is gone`);
  return { database, name, ...now };
}

async function find(session: Session, name: string): Promise<Found | undefined> {
  const [row] = await session.query<Found>(
    `SELECT nspname AS schema, extversion AS version
     FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = $1`,
    [name],
  );
  return row;
}

function taskOf(verb: string, { database, name }: Pick<Given, 'database' | 'name'>): string {
  return `${verb} extension ${name} of database ${database}`;
}
