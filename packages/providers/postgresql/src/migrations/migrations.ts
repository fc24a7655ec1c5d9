import { InitFailed, ProviderError, defineResource, s } from '@cairn/provider-sdk';
import type { CheckFailure, HandlerContext, ValuesOf } from '@cairn/provider-sdk';
import { joinId, nameProperty, namesTooLong, splitId } from '../server/names.js';
import { inDatabase, quoted } from '../server/server.js';
import type { Session } from '../server/server.js';
import { checksumOf, planMigrations } from './plan.js';
import type { MigrationPlan } from './plan.js';

const inputs = {
  database: nameProperty.replaceOnChange().describe('The database of the tables.'),
  schema: nameProperty.default('public').replaceOnChange().describe('First in the search path of their SQL.'),
  table: nameProperty
    .default('cairn_migrations')
    .replaceOnChange()
    .describe('Table of the schema that records the applied migrations.'),
  migrations: s
    .array(
      s.object({
        name: s.string({ minLength: 1 }).describe('Unique name.'),
        up: s.string({ minLength: 1 }).describe('SQL that makes the change.'),
        down: s.string().optional().describe('SQL that undoes it. Absent: it cannot be undone.'),
      }),
    )
    .describe(
      'In the order in which they are applied. New ones go to the end; applied ones stay as they are.',
    ),
};
const outputs = {
  database: s.string().describe('The database of the tables.'),
  schema: s.string().describe('First in the search path of their SQL.'),
  table: s.string().describe('Table of the schema that records the applied migrations.'),
  applied: s
    .array(
      s.object({
        name: s.string().describe('Of the migration.'),
        checksum: s.string().describe('Of the SQL that made the change: SHA-256, hexadecimal.'),
      }),
    )
    .describe('What was applied, in order.'),
  version: s.string().optional().describe('Name of the last one applied.'),
};

type Given = ValuesOf<typeof inputs>;
type Outputs = ValuesOf<typeof outputs>;
type Place = Pick<Given, 'database' | 'schema' | 'table'>;
type Row = {
  readonly name: string;
  readonly checksum: string;
  readonly up: string;
  readonly down: string | null;
};

/**
 * Tables by migrations. Each is applied once, in order, in a transaction of its own together with its row in the
 * migrations table. The id is `DATABASE/SCHEMA/TABLE`, and an import takes it. Deleting undoes them all, the last one
 * first.
 */
export const migrationsResource = defineResource({
  description:
    'Tables of a database by migrations, each applied once and in order; `readMigrations` reads them from a folder. ' +
    "Deleting undoes them. They hold data: a rollback undoes them only with the option `rollback: 'auto'`.",
  inputs,
  outputs,
  holdsData: true,
  deleteBeforeReplace: true,
  stableOutputs: ['database', 'schema', 'table'],
  // Applied migrations are recorded beside the tables, so that none is applied twice.
  idempotencyToken: true,
  repeatable: ['update', 'delete'],
  reveals: { applied: ['migrations'] },

  check: (given) => [...namesTooLong(given, ['database', 'schema', 'table']), ...namedTwice(given)],

  /** A change that is impossible is refused here, so that a preview reports it. */
  diff: ({ inputs: old, outputs: { applied } }, given) => {
    const undoable = new Set(old.migrations.filter(({ down }) => down !== undefined).map(({ name }) => name));
    const moved = (['database', 'schema', 'table'] as const).filter((key) => old[key] !== given[key]);
    if (moved.length === 0) planned(applied, given, undoable);
    const same = JSON.stringify(old.migrations.map(texts)) === JSON.stringify(given.migrations.map(texts));
    return { changed: same ? moved : [...moved, 'migrations'], replace: moved, deleteBeforeReplace: true };
  },

  create: async (given, context) => ({ id: idOf(given), outputs: await migrate(given, 'create', context) }),

  read: async (id, _known, context) => {
    const [database = '', schema = '', table = ''] = splitId(id, 'DATABASE/SCHEMA/TABLE');
    const place = { database, schema, table };
    const rows = await inDatabase(context, place.database, taskOf('read', place), (session) =>
      appliedIn(session, place),
    );
    if (rows === undefined) return undefined;
    return { id, inputs: { ...place, migrations: rows.map(migrationOf) }, outputs: report(place, rows) };
  },

  update: (_old, given, context) => migrate(given, 'change', context),

  delete: async ({ inputs: given }, context) => {
    const nothing = { ...given, migrations: [] };
    await migrate(nothing, 'delete', context);
    await inDatabase(context, given.database, taskOf('delete', given), (session) =>
      session.query(`DROP TABLE IF EXISTS ${tableOf(given)}`),
    );
  },
});

function namedTwice({ migrations }: Given): readonly CheckFailure[] {
  const names = migrations.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? [] : [{ property: 'migrations', reason: `has ${twice} twice` }];
}

const texts = ({ name, up, down }: Given['migrations'][number]) => [name, up, down ?? null];

/**
 * Undoes and applies the due migrations, one transaction each. After a failure the earlier ones remain: the answer is
 * then that the object exists and is incomplete.
 */
async function migrate(given: Given, verb: string, context: HandlerContext): Promise<Outputs> {
  let rows = await inDatabase(context, given.database, taskOf(verb, given), (session) =>
    begun(session, given),
  );
  const undoable = new Set(rows.filter(({ down }) => down !== null).map(({ name }) => name));
  const plan = planned(rows, given, undoable);
  const steps = [
    ...plan.undo.map((name) => ({ name, work: (session: Session) => undo(session, given, name) })),
    ...plan.apply.map((one) => ({ name: one.name, work: (session: Session) => apply(session, given, one) })),
  ];
  for (const [index, { name, work }] of steps.entries()) {
    try {
      rows = await inDatabase(
        context,
        given.database,
        taskOf(`apply ${name} for`, given),
        async (session) => {
          await work(session);
          return (await appliedIn(session, given)) ?? [];
        },
      );
    } catch (thrown) {
      const nothingChanged = verb === 'delete' || (verb === 'change' && index === 0);
      if (nothingChanged || !(thrown instanceof ProviderError)) throw thrown;
      throw new InitFailed(idOf(given), report(given, rows), [thrown.message]);
    }
  }
  if (verb !== 'delete')
    await inDatabase(context, given.database, taskOf(verb, given), (session) => keepTexts(session, given));
  return report(given, rows);
}

function planned(
  applied: readonly { readonly name: string; readonly checksum: string }[],
  given: Given,
  undoable: ReadonlySet<string>,
): MigrationPlan {
  const plan = planMigrations(applied, given.migrations, undoable);
  if ('why' in plan)
    throw new ProviderError(
      'FAILED_PRECONDITION',
      `cannot migrate ${given.database}/${given.schema}: ${plan.why}`,
    );
  return plan;
}

/**
 * Creates the table if it is missing. Other sessions that migrate at the same time wait for the end of the transaction.
 */
async function begun(session: Session, place: Place): Promise<readonly Row[]> {
  await lock(session, place);
  await session.query(
    `CREATE TABLE IF NOT EXISTS ${tableOf(place)} (position integer PRIMARY KEY, name text UNIQUE NOT NULL,
       checksum text NOT NULL, up text NOT NULL, down text, applied_at timestamptz NOT NULL DEFAULT now())`,
  );
  return (await appliedIn(session, place)) ?? [];
}

async function lock(session: Session, place: Place): Promise<void> {
  await session.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`cairn migrations ${tableOf(place)}`]);
}

async function apply(session: Session, place: Place, one: Given['migrations'][number]): Promise<void> {
  await lock(session, place);
  const rows = (await appliedIn(session, place)) ?? [];
  if (rows.some(({ name }) => name === one.name)) return;
  await runSql(session, place, one.name, one.up);
  await session.query(
    `INSERT INTO ${tableOf(place)} (position, name, checksum, up, down) VALUES ($1, $2, $3, $4, $5)`,
    [rows.length + 1, one.name, checksumOf(one), one.up, one.down ?? null],
  );
}

async function undo(session: Session, place: Place, name: string): Promise<void> {
  await lock(session, place);
  const row = (await appliedIn(session, place))?.find((one) => one.name === name);
  if (row === undefined) return;
  await runSql(session, place, name, row.down ?? '');
  await session.query(`DELETE FROM ${tableOf(place)} WHERE name = $1`, [name]);
}

/**
 * Runs the SQL of a migration. SQL that ends the transaction itself is an error, because it would not be committed
 * together with its row.
 */
async function runSql(session: Session, { schema }: Place, name: string, sql: string): Promise<void> {
  await session.query(`SET LOCAL search_path TO ${quoted(schema)}, public`);
  const before = await session.query('SELECT txid_current() AS id');
  await session.query(sql);
  const after = await session.query('SELECT txid_current() AS id');
  if (before[0]?.['id'] !== after[0]?.['id'])
    throw new ProviderError(
      'FAILED_PRECONDITION',
      `${name} ends its transaction: remove BEGIN, COMMIT and ROLLBACK from its SQL; its effects before them may stay`,
    );
}

/** Stores the undo SQL with its migration. It may be written later than the migration. */
async function keepTexts(session: Session, given: Given): Promise<void> {
  for (const { name, down } of given.migrations)
    await session.query(
      `UPDATE ${tableOf(given)} SET down = $2 WHERE name = $1 AND down IS DISTINCT FROM $2`,
      [name, down ?? null],
    );
}

/** Returns migrations in the order in which they were applied. Undefined if there were never any. */
async function appliedIn(session: Session, place: Place): Promise<readonly Row[] | undefined> {
  const [there] = await session.query<{ there: string | null }>('SELECT to_regclass($1)::text AS there', [
    tableOf(place),
  ]);
  if (there?.there === null) return undefined;
  return session.query<Row>(`SELECT name, checksum, up, down FROM ${tableOf(place)} ORDER BY position`);
}

function migrationOf({ name, up, down }: Row): Given['migrations'][number] {
  return down === null ? { name, up } : { name, up, down };
}

function report({ database, schema, table }: Place, rows: readonly Row[]): Outputs {
  const applied = rows.map(({ name, checksum }) => ({ name, checksum }));
  return { database, schema, table, applied, version: applied.at(-1)?.name };
}

function taskOf(verb: string, { database, schema }: Place): string {
  return `${verb} the migrations of ${database}/${schema}`;
}

function idOf({ database, schema, table }: Place): string {
  return joinId(database, schema, table);
}

function tableOf({ schema, table }: Place): string {
  return `${quoted(schema)}.${quoted(table)}`;
}
