import { ORGANIZATION } from '@cairn/backends';
import type { AccessFacts, Grant, OrganizationMember } from '../../domain/access.js';
import type { CustomRole } from '../../domain/custom-roles.js';
import type { AccessEditor, AccessKind, AccessReader, AccessRecords, AccessStore } from '../access-store.js';
import type { Database, StoreTransaction } from './connections.js';

/** Records about access as rows, one table for each kind. `transaction` runs work in one. */
export function rowsOfAccess(
  db: Database,
  transaction: <T>(work: (db: StoreTransaction) => Promise<T>) => Promise<T>,
): AccessStore {
  return {
    ...readerOf(db),
    accessFacts: async (organization, subject) => {
      const isUser = subject.startsWith('user:');
      const name = subject.slice(subject.indexOf(':') + 1);
      const { rows } = await db.query<FactsRow>(isUser ? FACTS_OF_USER : FACTS_OF_TEAM, [
        ...[organization, name, subject],
      ]);
      const [row] = rows;
      const { grants, roles } = row ?? {};
      return { member: row?.member?.role, grants: grants ?? [], roles: roles ?? [] } satisfies AccessFacts;
    },
    organizationsOf: async (login) => {
      return (await db.query<{ org: string }>(ORGANIZATIONS, [login])).rows.map(({ org }) => org);
    },
    changeAccess: (place, work) =>
      transaction(async (turn) => {
        await turn.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`cairn access ${place}`]);
        return work(editorOf(turn, place));
      }),
  };
}

interface FactsRow {
  readonly member: OrganizationMember | null;
  readonly grants: readonly Grant[] | null;
  readonly roles: readonly CustomRole[] | null;
}

/** Selects facts from the parts `mine`, the record of a member, and `held`, grants with their ids. */
const FACTS = `
  select (select record from mine) as member,
         (select json_agg(record order by id) from held) as grants,
         (select json_agg(record order by id) from cairn.roles where org = $1 and id in
           (select record->>'role' from held union all select record->>'role' from mine)) as roles`;

/** A site administrator is an administrator of every organization. */
const FACTS_OF_USER = `
  with mine as (
    select coalesce(
             (select '{"role":"admin"}'::jsonb from cairn.users
               where org = '' and id = $2 and record->'siteAdmin' = 'true'
                 and ($1 = '${ORGANIZATION}' or exists (select from cairn.organizations where org = '' and id = $1))),
             (select record from cairn.members where org = $1 and id = $2)) as record
  ), held as (
    select id, record from cairn.grants
     where org = $1 and record->>'to' = any(array(
       select $3 union all
       select 'team:' || id from cairn.teams where org = $1 and record->'members' ? $2))
  ) ${FACTS}`;

const ORGANIZATIONS = `
  with admin as (
    select from cairn.users where org = '' and id = $1 and record->'siteAdmin' = 'true'
  ), mine as (
    select org from cairn.members where id = $1
    union select '${ORGANIZATION}' where exists (select from admin)
    union select id from cairn.organizations where exists (select from admin)
  )
  select org from mine order by org <> '${ORGANIZATION}', org`;

/** A team is in its organization, and has no role of its own. */
const FACTS_OF_TEAM = `
  with mine as (
    select '{"role":"none"}'::jsonb as record from cairn.teams where org = $1 and id = $2
  ), held as (
    select id, record from cairn.grants where org = $1 and record->>'to' = $3
  ) ${FACTS}`;

function readerOf(db: Database): AccessReader {
  return {
    listAccess: async <K extends AccessKind>(kind: K, place: string) => {
      const sql = `select record from cairn.${kind} where org = $1 order by id`;
      return (await db.query<{ record: AccessRecords[K] }>(sql, [place])).rows.map(({ record }) => record);
    },
    findAccess: async <K extends AccessKind>(kind: K, place: string, id: string) => {
      const sql = `select record from cairn.${kind} where org = $1 and id = $2`;
      return (await db.query<{ record: AccessRecords[K] }>(sql, [place, id])).rows[0]?.record;
    },
  };
}

function editorOf(db: Database, place: string): AccessEditor {
  return {
    ...readerOf(db),
    putAccess: async (kind, record) =>
      void (await db.query(
        `insert into cairn.${kind} (org, id, record) values ($1, $2, $3)
         on conflict (org, id) do update set record = excluded.record`,
        [place, record.id, JSON.stringify(record)],
      )),
    removeAccess: async (kind, id) =>
      void (await db.query(`delete from cairn.${kind} where org = $1 and id = $2`, [place, id])),
  };
}
