import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { BlobStore } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { blobColumns } from '../../store/postgres/blob-columns.js';
import type { Connections, Database } from '../../store/postgres/connections.js';
import { finishMigrations, prepareSchema, schemaVersions } from '../../store/postgres/migrations.js';
import type { BackupManifest, BackupWriter } from './backup-files.js';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Rows of one file. */
const ROWS = 1000;
const TABLES = 'tables/';
const BLOBS = 'blobs/';

interface StoreParts {
  readonly connections: Connections;
  readonly blobs: BlobStore;
}

/**
 * Copies the rows of a database as they are at one moment, and the blobs that they name, while services use both.
 * Returns the migrations of the schema. Fails with `CAIRN-STATE-CORRUPT` for a blob that is gone.
 */
export function copyDatabase(
  { connections, blobs }: StoreParts,
  to: BackupWriter,
): Promise<readonly number[]> {
  return connections.transaction(async (db) => {
    await db.query('set transaction isolation level repeatable read, read only');
    const names = new Set<string>();
    for (const table of await tablesOf(db)) await copyTable(db, table, to);
    for (const { table, column } of await blobColumns(db)) {
      const { rows } = await db.query<{ name: string }>(
        `select distinct ${column} as name from cairn.${table} where ${column} is not null`,
      );
      for (const { name } of rows) names.add(name);
    }
    for (const name of [...names].sort()) {
      const blob = await blobs.get(name);
      if (blob === undefined)
        throw cairnError('CAIRN-STATE-CORRUPT', `cannot back up ${blobs.url}: ${name} is gone`, {
          hint: 'Restore it from an older backup, or delete the stack that needs it.',
        });
      await to.put(BLOBS + name, blob.bytes);
    }
    return schemaVersions(db);
  });
}

/**
 * Fills an empty database and an empty place for blobs from a backup. The rows are stored all or not at all. Fails with
 * `CAIRN-USAGE` for a database that has rows, and `CAIRN-STATE-TOO-NEW` for a schema that this software does not know.
 */
export async function fillDatabase(
  { connections, blobs }: StoreParts,
  { files, schema = [] }: BackupManifest,
  read: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  const names = files.map(({ name }) => name);
  await connections.transaction(async (db) => {
    await prepareSchema(db, schema);
    for (const table of await tablesOf(db)) {
      const { rowCount } = await db.query(`select from cairn.${table} limit 1`);
      if (rowCount !== 0)
        throw cairnError('CAIRN-USAGE', `cannot restore into the database: its table ${table} has rows`, {
          hint: 'Give --store a new database.',
        });
    }
    for (const name of names)
      if (name.startsWith(BLOBS)) await blobs.put(name.slice(BLOBS.length), await read(name));
    for (const table of await tablesOf(db)) await fillTable(db, table, names, read);
    await finishMigrations(db);
  });
}

/** Returns the tables but that of the migrations, each after those that it refers to. */
async function tablesOf(db: Database): Promise<readonly string[]> {
  const { rows } = await db.query<{ name: string; needs: readonly string[] | null }>(
    `select c.relname::text as name,
            (select array_agg(distinct o.relname::text) from pg_constraint f join pg_class o on o.oid = f.confrelid
              where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'cairn' and c.relkind = 'r' and c.relname <> 'migrations' order by c.relname`,
  );
  const ordered: string[] = [];
  while (ordered.length < rows.length) {
    const next = rows.find(
      ({ name, needs }) => !ordered.includes(name) && (needs ?? []).every((each) => ordered.includes(each)),
    );
    if (next === undefined) throw new Error('the tables refer to each other in a circle');
    ordered.push(next.name);
  }
  return ordered;
}

async function copyTable(db: Database, table: string, to: BackupWriter): Promise<void> {
  await db.query(
    `declare rows_of_${table} no scroll cursor for select row_to_json(t)::text as row from cairn.${table} t`,
  );
  for (let number = 1; ; number += 1) {
    const { rows } = await db.query<{ row: string }>(`fetch ${ROWS} from rows_of_${table}`);
    if (rows.length === 0) break;
    const text = `[${rows.map(({ row }) => row).join(',')}]`;
    await to.put(`${TABLES}${table}/${String(number).padStart(6, '0')}.json.gz`, await pack(text));
  }
  await db.query(`close rows_of_${table}`);
}

async function fillTable(
  db: Database,
  table: string,
  names: readonly string[],
  read: (name: string) => Promise<Uint8Array>,
): Promise<void> {
  for (const name of names) {
    if (!name.startsWith(`${TABLES}${table}/`)) continue;
    const rows = (await unpack(await read(name))).toString('utf8');
    await db.query(
      `insert into cairn.${table} overriding system value
       select * from json_populate_recordset(null::cairn.${table}, $1::json)`,
      [rows],
    );
  }
  const { rows: counted } = await db.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = 'cairn' and table_name = $1
        and (is_identity = 'YES' or column_default like 'nextval(%')`,
    [table],
  );
  for (const { name } of counted)
    await db.query(
      `select setval(pg_get_serial_sequence('cairn.${table}', '${name}'), coalesce(max(${name}), 0) + 1, false)
         from cairn.${table}`,
    );
}
