import { ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { ValuesOf } from '@cairn/provider-sdk';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { quoted, inDatabase } from '../server/server.js';
import type { Session } from '../server/server.js';
import { managed } from './managed.js';

const inputs = {
  database: nameProperty.replaceOnChange().describe('The database that it is in.'),
  name: nameProperty.replaceOnChange().describe('Its name in the database.'),
  owner: nameProperty
    .optional()
    .describe('The role that owns it. Absent: the role that the provider works as.'),
  dropCascade: s
    .boolean()
    .default(false)
    .describe('Deleting it deletes its content. Otherwise, it is only deleted when it is empty.'),
};
const outputs = {
  database: s.string().describe('The database that it is in.'),
  name: s.string().describe('For the schema of what is in it, so that the order is right.'),
  owner: s.string().describe('The role that owns it.'),
};

type Given = ValuesOf<typeof inputs>;

/** A schema of a database. The id is `DATABASE/NAME`, and an import takes it. */
export const schemaResource = defineResource({
  description: 'A schema of a database.',
  inputs,
  outputs,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'name'],
  // A create that is retried after an interruption recognises its own schema by the id of the work.
  idempotencyToken: true,

  check: (given) => namesTooLong(given, ['database', 'name', 'owner']),

  create: async (given, context) => {
    const id = joinId(given.database, given.name);
    const done = await inDatabase(context, given.database, taskOf('create', given), async (session) => {
      const there = (await ownerOf(session, given.name)) !== undefined;
      if (context.progressId === undefined) {
        if (there)
          throw new ProviderError('ALREADY_EXISTS', `schema ${id} already exists; import it by this id`);
        await context.progress?.(id);
      }
      if (!there) await session.query(`CREATE SCHEMA ${quoted(given.name)}`);
      return own(session, given);
    });
    return { id, outputs: done };
  },

  read: async (id, known, context) => {
    const [database = '', name = ''] = splitId(id, 'DATABASE/NAME');
    const owner = await inDatabase(context, database, taskOf('read', { database, name }), (session) =>
      ownerOf(session, name),
    );
    if (owner === undefined) return undefined;
    const now: Given = {
      ...{ database, name, owner: managed(known, known?.inputs.owner, owner) },
      dropCascade: known?.inputs.dropCascade ?? false,
    };
    return { id, inputs: now, outputs: { database, name, owner } };
  },

  update: (_old, given, context) =>
    inDatabase(context, given.database, taskOf('change', given), (session) => own(session, given)),

  delete: async ({ inputs: given }, context) => {
    const how = given.dropCascade ? 'CASCADE' : 'RESTRICT';
    await inDatabase(context, given.database, taskOf('delete', given), (session) =>
      session.query(`DROP SCHEMA IF EXISTS ${quoted(given.name)} ${how}`),
    );
  },
});

async function own(session: Session, { database, name, owner }: Given): Promise<ValuesOf<typeof outputs>> {
  if (owner !== undefined) await session.query(`ALTER SCHEMA ${quoted(name)} OWNER TO ${quoted(owner)}`);
  return { database, name, owner: (await ownerOf(session, name)) ?? '' };
}

async function ownerOf(session: Session, name: string): Promise<string | undefined> {
  const [row] = await session.query<{ owner: string }>(
    'SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = $1',
    [name],
  );
  return row?.owner;
}

function taskOf(verb: string, { database, name }: Pick<Given, 'database' | 'name'>): string {
  return `${verb} schema ${name} of database ${database}`;
}
