import type { QueueStore, Ticket } from '../queue-store.js';
import type { Database } from './connections.js';

/** Queues of stacks. */
export const QUEUE_SCHEMA = `
  create table cairn.tickets (
    id uuid primary key,
    stack uuid not null references cairn.stacks on delete cascade,
    place bigint generated always as identity,
    owner text not null,
    kept_until timestamptz not null
  );
  create index tickets_of_stack on cairn.tickets (stack, place);
`;

/** Queues of stacks, as rows. Places lapse by the clock of the database. */
export function rowsOfQueue(db: Database): QueueStore {
  return {
    tickets: async (stackId) => {
      const { rows } = await db.query<Ticket>(
        `select id, owner as by from cairn.tickets
          where stack = $1 and kept_until > clock_timestamp() order by place`,
        [stackId],
      );
      return rows;
    },
    keepTicket: async (stackId, { id, by }, ms) => {
      await db.query('delete from cairn.tickets where stack = $1 and kept_until <= clock_timestamp()', [
        stackId,
      ]);
      await db.query(
        `insert into cairn.tickets (id, stack, owner, kept_until)
         values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
         on conflict (id) do update set kept_until = excluded.kept_until where tickets.stack = excluded.stack`,
        [id, stackId, by, ms],
      );
    },
    removeTicket: async (stackId, id) =>
      void (await db.query('delete from cairn.tickets where stack = $1 and id = $2', [stackId, id])),
  };
}
