import { InitFailed, ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { nameProperty, namesTooLong } from '../server/names.js';
import { literal, quoted, serverOf } from '../server/server.js';
import { managed } from './managed.js';

const inputs = {
  name: nameProperty.replaceOnChange().describe('Its name in the server.'),
  owner: nameProperty
    .optional()
    .describe('The role that owns it. Absent: the role that the provider works as.'),
  template: nameProperty
    .optional()
    .replaceOnChange()
    .describe('The database that it is copied from. Absent: template1.'),
  encoding: s
    .string()
    .optional()
    .replaceOnChange()
    .describe("Encoding of its texts, for instance UTF8. Absent: the template's."),
  locale: s
    .string()
    .optional()
    .replaceOnChange()
    .describe("Collation and character types, for instance C. Absent: the template's."),
  connectionLimit: s
    .integer({ min: -1 })
    .default(-1)
    .describe('Maximum number of connections; -1: any number.'),
  allowConnections: s.boolean().default(true).describe('Whether anybody may connect.'),
  dropWithConnections: s
    .boolean()
    .default(false)
    .describe('Deleting it ends other connections. Otherwise, it fails while there are connections.'),
};
const outputs = {
  name: s.string().describe('For the database of what is in it, so that the order is right.'),
  owner: s.string().describe('The role that owns it.'),
  encoding: s.string().describe('Encoding of its texts, for instance UTF8.'),
  locale: s.string().describe('Its collation.'),
  connectionLimit: s.integer().describe('Maximum number of connections; -1: any number.'),
  allowConnections: s.boolean().describe('Whether anybody may connect.'),
};

type Given = ValuesOf<typeof inputs>;
type Found = ValuesOf<typeof outputs>;

/** A database. The id is its name, and an import takes it. */
export const databaseResource = defineResource({
  description: "A database. It holds data: a rollback deletes it only with the option `rollback: 'auto'`.",
  inputs,
  outputs,
  holdsData: true,
  deleteBeforeReplace: true,
  stableOutputs: ['name', 'encoding', 'locale'],
  // A create that is retried after an interruption recognises its own database by the id of the work.
  idempotencyToken: true,

  check: (given) => namesTooLong(given, ['name', 'owner', 'template']),

  create: async (given, context) => {
    const there = await find(given.name, context);
    if (context.progressId === undefined) {
      if (there !== undefined)
        throw new ProviderError(
          'ALREADY_EXISTS',
          `database ${given.name} already exists; import it, or choose another name`,
        );
      await context.progress?.(given.name);
    }
    if (there === undefined) await make(given, context);
    try {
      if (there !== undefined) await alter(given, context);
      return { id: given.name, outputs: await report(given.name, context) };
    } catch (thrown) {
      // The database exists, regardless of later failures.
      throw new InitFailed(given.name, { name: given.name }, [(thrown as Error).message]);
    }
  },

  read: async (id, known, context) => {
    const found = await find(id, context);
    if (found === undefined) return undefined;
    const { name, connectionLimit, allowConnections } = found;
    const before = known?.inputs;
    const now: Given = {
      ...{ name, connectionLimit, allowConnections },
      owner: managed(known, before?.owner, found.owner),
      template: before?.template,
      encoding: managed(known, before?.encoding, found.encoding),
      locale: managed(known, before?.locale, found.locale),
      dropWithConnections: before?.dropWithConnections ?? false,
    };
    return { id, inputs: now, outputs: found };
  },

  update: async (_old, given, context) => {
    await alter(given, context);
    return report(given.name, context);
  },

  delete: async ({ id, inputs: given }, context) => {
    const server = serverOf(context);
    await server.leave(id);
    const how = given.dropWithConnections ? ' WITH (FORCE)' : '';
    await server.alone({ ...context, task: `delete database ${id}` }, server.maintenance, (session) =>
      session.query(`DROP DATABASE IF EXISTS ${quoted(id)}${how}`),
    );
  },
});

async function make({ name, ...given }: Given, context: HandlerContext): Promise<void> {
  const server = serverOf(context);
  const { owner, template, encoding, locale } = given;
  const options = [
    ` ALLOW_CONNECTIONS ${given.allowConnections} CONNECTION LIMIT ${given.connectionLimit}`,
    owner === undefined ? '' : ` OWNER ${quoted(owner)}`,
    template === undefined ? '' : ` TEMPLATE ${quoted(template)}`,
    encoding === undefined ? '' : ` ENCODING ${literal(encoding)}`,
    locale === undefined ? '' : ` LOCALE ${literal(locale)}`,
  ];
  await server.alone({ ...context, task: `create database ${name}` }, server.maintenance, (session) =>
    session.query(`CREATE DATABASE ${quoted(name)}${options.join('')}`),
  );
}

async function alter({ name, ...given }: Given, context: HandlerContext): Promise<void> {
  const server = serverOf(context);
  const database = quoted(name);
  const options = `ALLOW_CONNECTIONS ${given.allowConnections} CONNECTION LIMIT ${given.connectionLimit}`;
  await server.inTransaction(
    { ...context, task: `change database ${name}` },
    server.maintenance,
    async (session) => {
      await session.query(`ALTER DATABASE ${database} WITH ${options}`);
      if (given.owner !== undefined)
        await session.query(`ALTER DATABASE ${database} OWNER TO ${quoted(given.owner)}`);
    },
  );
}

async function report(name: string, context: HandlerContext): Promise<Found> {
  const found = await find(name, context);
  if (found === undefined) throw new ProviderError('NOT_FOUND', `database ${name} is gone`);
  return found;
}

async function find(name: string, context: HandlerContext): Promise<Found | undefined> {
  const server = serverOf(context);
  const rows = await server.alone(
    { ...context, task: `read database ${name}` },
    server.maintenance,
    (session) =>
      session.query<Found>(
        `SELECT datname AS name, pg_get_userbyid(datdba) AS owner, pg_encoding_to_char(encoding) AS encoding,
         datcollate AS locale, datconnlimit AS "connectionLimit", datallowconn AS "allowConnections"
       FROM pg_database WHERE datname = $1`,
        [name],
      ),
  );
  return rows[0];
}
