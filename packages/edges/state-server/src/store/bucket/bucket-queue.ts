import { TICKET_SECONDS } from '@cairn/http-api';
import type { QueueStore, Ticket } from '../queue-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

/**
 * Queues in a bucket: one document a stack, written when a place comes or goes. The ends of places are kept in memory:
 * after a restart each place is kept for its time once more.
 */
export function bucketQueue(documents: Documents, monotonic: () => number): QueueStore {
  const ends = new Map<string, number>();
  const endOf = (id: string): number => {
    const end = ends.get(id) ?? monotonic() + TICKET_SECONDS * 1000;
    ends.set(id, end);
    return end;
  };
  const read = async (stackId: string): Promise<readonly Ticket[]> =>
    (await documents.get<{ readonly tickets: readonly Ticket[] }>(keys.queue(stackId)))?.tickets ?? [];
  const write = async (
    stackId: string,
    before: readonly Ticket[],
    tickets: readonly Ticket[],
  ): Promise<void> => {
    for (const { id } of before) if (!tickets.some((ticket) => ticket.id === id)) ends.delete(id);
    if (tickets.length === 0) await documents.remove(keys.queue(stackId));
    else await documents.put(keys.queue(stackId), { tickets });
  };
  const isKept = ({ id }: Ticket): boolean => endOf(id) > monotonic();
  return {
    tickets: async (stackId) => (await read(stackId)).filter(isKept),
    keepTicket: async (stackId, ticket, ms) => {
      const before = await read(stackId);
      const kept = before.filter(isKept);
      const isThere = kept.some(({ id }) => id === ticket.id);
      ends.set(ticket.id, monotonic() + ms);
      if (!isThere) await write(stackId, before, [...kept, ticket]);
    },
    removeTicket: async (stackId, id) => {
      const before = await read(stackId);
      const rest = before.filter((ticket) => ticket.id !== id);
      if (rest.length < before.length) await write(stackId, before, rest.filter(isKept));
    },
  };
}
