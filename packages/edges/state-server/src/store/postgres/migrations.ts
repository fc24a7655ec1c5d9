import { cairnError } from '@cairn/diagnostics';
import { ACCESS_SCHEMA, ROLE_SCHEMA, SIGNER_SCHEMA } from './access-schema.js';
import { PASSWORD_SCHEMA } from './attempt-rows.js';
import { CHANGE_SCHEMA } from './change-schema.js';
import type { Connections, Database } from './connections.js';
import { AGENT_SCHEMA, DEPLOYMENT_SCHEMA, NOTICE_SCHEMA } from './deployment-rows.js';
import { HOOK_SCHEMA } from './delivery-rows.js';
import { PREVIEW_SCHEMA } from './preview-rows.js';
import { QUEUE_SCHEMA } from './queue-rows.js';
import { TOKEN_SCHEMA } from './token-rows.js';

/**
 * Changes of the schema by number. They run in this order, each once, and do not depend on those of the same release.
 * One is never altered after its release.
 */
const MIGRATIONS: Readonly<Record<number, string>> = {
  1: `
  create table cairn.tokens (hash text primary key, record text not null);

  create table cairn.stacks (
    id uuid primary key,
    project text collate "C" not null,
    name text collate "C" not null,
    tags text not null default '{}',
    wrapped_key text not null,
    latest uuid,
    running uuid,
    blob text,
    sha256 text,
    resources integer,
    last_update timestamptz,
    unique (project, name)
  );

  create table cairn.updates (
    id uuid primary key,
    stack uuid not null references cairn.stacks on delete cascade,
    status text not null,
    record text not null,
    lease_until timestamptz,
    base_blob text,
    base_sha256 text,
    base_size integer,
    begun boolean not null default false,
    events_blob text,
    events_sha256 text
  );
  create index updates_of_stack on cairn.updates (stack);
  create index updates_by_lease on cairn.updates (lease_until) where status = 'running';

  create table cairn.journal (
    update_id uuid not null,
    seq bigint not null,
    adds bigint,
    entry text not null,
    primary key (update_id, seq)
  );
  create index journal_by_operation on cairn.journal (update_id, adds) where adds is not null;

  create table cairn.events (
    update_id uuid not null,
    number bigint generated always as identity,
    batch bytea not null,
    primary key (update_id, number)
  );

  create table cairn.checkpoints (
    stack uuid not null references cairn.stacks on delete cascade,
    version integer not null,
    entry text not null,
    blob text not null,
    sha256 text not null,
    bytes bigint not null,
    resources integer not null,
    primary key (stack, version)
  );
  `,
  2: ACCESS_SCHEMA,
  3: CHANGE_SCHEMA,
  5: `
  alter table cairn.checkpoints alter column blob drop not null, alter column sha256 drop not null;

  create table cairn.terraform_states (
    id uuid primary key,
    org text collate "C" not null,
    project text collate "C" not null,
    name text collate "C" not null,
    wrapped_key text not null,
    version integer not null,
    lock text,
    unique (org, project, name)
  );

  create table cairn.terraform_versions (
    state uuid not null references cairn.terraform_states on delete cascade,
    version integer not null,
    entry text not null,
    blob text,
    sha256 text,
    primary key (state, version)
  );
  `,
  6: QUEUE_SCHEMA,
  7: PREVIEW_SCHEMA,
  8: ROLE_SCHEMA,
  9: TOKEN_SCHEMA,
  12: HOOK_SCHEMA,
  15: DEPLOYMENT_SCHEMA,
  16: AGENT_SCHEMA,
  17: NOTICE_SCHEMA,
  18: SIGNER_SCHEMA,
  19: 'alter table cairn.stacks add column lost text, add column config text',
  20: 'alter table cairn.stacks add column pending integer not null default 0',
  21: PASSWORD_SCHEMA,
};

const NEWEST = Math.max(...Object.keys(MIGRATIONS).map(Number));

/** Brings the schema up to date, one process at a time. Refuses one that is newer (`CAIRN-STATE-TOO-NEW`). */
export async function migrate(connections: Connections): Promise<void> {
  await connections.transaction(async (db) => {
    await prepareSchema(db, []);
    await finishMigrations(db);
  });
}

/**
 * Brings a schema to these migrations, in a transaction that is alone with the schema. Fails with `CAIRN-STATE-TOO-NEW`
 * for a schema that is newer than this software, and for a migration that it does not know.
 */
export async function prepareSchema(db: Database, versions: readonly number[]): Promise<void> {
  await db.query("select pg_advisory_xact_lock(hashtextextended('cairn migrations', 0))");
  await db.query('set local statement_timeout = 0');
  await db.query('create schema if not exists cairn');
  await db.query('create table if not exists cairn.migrations (version integer primary key)');
  await checkSchema(db);
  const unknown = versions.find((version) => MIGRATIONS[version] === undefined);
  if (unknown !== undefined) throw tooNew(unknown);
  await runMigrations(db, versions);
}

/** Brings a schema up to date, in a transaction of {@link prepareSchema}. */
export function finishMigrations(db: Database): Promise<void> {
  return runMigrations(db, Object.keys(MIGRATIONS).map(Number));
}

/** Returns the migrations that a schema has had. */
export async function schemaVersions(db: Database): Promise<readonly number[]> {
  const { rows } = await db.query<{ version: number }>(
    'select version from cairn.migrations order by version',
  );
  return rows.map(({ version }) => version);
}

async function runMigrations(db: Database, versions: readonly number[]): Promise<void> {
  const done = new Set(await schemaVersions(db));
  for (const version of versions) {
    if (done.has(version)) continue;
    await db.query(MIGRATIONS[version] ?? '');
    await db.query('insert into cairn.migrations values ($1)', [version]);
  }
}

/** Refuses a schema that is newer than this software (`CAIRN-STATE-TOO-NEW`). */
export async function checkSchema(db: Database): Promise<void> {
  const { rows } = await db.query<{ version: number | null }>(
    'select max(version) as version from cairn.migrations',
  );
  const version = rows[0]?.version ?? 0;
  if (version <= NEWEST) return;
  throw tooNew(version);
}

function tooNew(version: number): Error {
  return cairnError(
    'CAIRN-STATE-TOO-NEW',
    `cannot use the database: its schema is version ${version}, and this software knows ${NEWEST}`,
    { hint: 'Run the version of Cairn that migrated it, or a newer one.' },
  );
}
