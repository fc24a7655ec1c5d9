import type { AttemptStore } from '../attempt-store.js';
import type { Database } from './connections.js';

/** Migration 21: passwords of users, and counts of attempts to sign in with them. */
export const PASSWORD_SCHEMA = `
  create table cairn.passwords (org text not null, id text not null, record jsonb not null, primary key (org, id));
  create table cairn.attempts (key text primary key, count integer not null, until timestamptz not null);
`;

/** Counts of attempts as rows. Periods end by the clock of the database. */
export function rowsOfAttempts(db: Database): AttemptStore {
  return {
    countAttempt: async (key, period) => {
      const { rows } = await db.query<{ count: number; seconds: number }>(
        `insert into cairn.attempts as a (key, count, until)
         values ($1, 1, clock_timestamp() + $2 * interval '1 second')
         on conflict (key) do update set
           count = case when a.until > clock_timestamp() then a.count + 1 else 1 end,
           until = case when a.until > clock_timestamp() then a.until else excluded.until end
         returning count, greatest(1, ceil(extract(epoch from until - clock_timestamp())))::integer as seconds`,
        [key, period],
      );
      return rows[0] ?? { count: 1, seconds: period };
    },
    forgiveAttempts: async (key, count) =>
      void (await db.query('update cairn.attempts set count = greatest(0, count - $2) where key = $1', [
        ...[key, count],
      ])),
  };
}

/** Removes counts whose period has ended. */
export const REMOVE_ATTEMPTS = 'delete from cairn.attempts where until <= clock_timestamp()';
