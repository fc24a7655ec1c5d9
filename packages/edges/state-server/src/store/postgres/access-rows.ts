import { ORGANIZATION } from '@cairn/backends';
import type { AccessFacts, Grant, OrganizationMember } from '../../domain/access.js';
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
      const { rows } = await db.query<{ member: OrganizationMember | null; grants: readonly Grant[] }>(
        isUser ? FACTS_OF_USER : FACTS_OF_TEAM,
        [organization, name, subject],
      );
      const [row] = rows;
      return { member: row?.member?.role, grants: row?.grants ?? [] } satisfies AccessFacts;
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

/** A site administrator is an administrator of every organization. */
const FACTS_OF_USER = `
  select coalesce(
           (select '{"role":"admin"}'::jsonb from cairn.users
             where org = '' and id = $2 and record->'siteAdmin' = 'true'
               and ($1 = '${ORGANIZATION}' or exists (select from cairn.organizations where org = '' and id = $1))),
           (select record from cairn.members where org = $1 and id = $2)) as member,
         (select json_agg(record order by id) from cairn.grants
           where org = $1 and record->>'to' = any(array(
             select $3 union all
             select 'team:' || id from cairn.teams where org = $1 and record->'members' ? $2))) as grants`;

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
  select (select '{"role":"none"}'::jsonb from cairn.teams where org = $1 and id = $2) as member,
         (select json_agg(record order by id) from cairn.grants where org = $1 and record->>'to' = $3) as grants`;

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
