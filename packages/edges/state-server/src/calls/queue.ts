import { isDeepStrictEqual } from 'node:util';
import type { StackId } from '@cairn/backends';
import { TICKET_SECONDS } from '@cairn/http-api';
import { Refusal } from '../domain/refusal.js';
import { currentOperationOf } from '../domain/update-info.js';
import type { Ticket } from '../store/queue-store.js';
import type { StackStore } from '../store/service-store.js';
import { inStackTurn } from './service-ports.js';
import type { ServicePorts, TurnPorts } from './service-ports.js';
import { anotherUpdate } from './stack-locks.js';
import { recordOf } from './stack-records.js';
import type { Wakening } from './wakening.js';

/** Most clients that wait for one stack. */
export const MOST_TICKETS = 1000;

/** Place in the queue of a stack. */
interface Place {
  readonly before: readonly Pick<Ticket, 'by'>[];
  /** Operation that runs, or the lock of another tool. */
  readonly current: ReturnType<typeof currentOperationOf> | undefined;
}

/** Queues of those who wait for a stack. Only the first may start an update while anyone waits. */
export class Queue {
  readonly #ports: ServicePorts;
  readonly #wakening: Wakening;

  constructor(ports: ServicePorts, wakening: Wakening) {
    this.#ports = ports;
    this.#wakening = wakening;
  }

  /**
   * Keeps a place in the queue, or takes a new one behind all others, and returns who comes before it. Unless its turn
   * has come, waits up to `waitMs` milliseconds for a change of that. The wait does not keep the place.
   */
  async keep(stack: StackId, ticket: Ticket, waitMs: number): Promise<Place> {
    const end = performance.now() + waitMs;
    let wakes = this.#wakening.count;
    const place = await this.#keep(stack, ticket);
    if (place.before.length === 0 && place.current === undefined) return place;
    for (;;) {
      const left = end - performance.now();
      if (left <= 0) return place;
      await this.#wakening.wait(left, wakes);
      if (this.#wakening.count === wakes) return place;
      wakes = this.#wakening.count;
      const now = await this.#look(stack, ticket.id);
      if (!isDeepStrictEqual(now, place)) return now ?? place;
    }
  }

  #keep(stack: StackId, ticket: Ticket): Promise<Place> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      checkTicket(ticket.id);
      const { store } = ports;
      const { id: stackId } = await recordOf(ports, stack);
      refuseFullQueue(await store.tickets(stackId), ticket, stack);
      await store.keepTicket(stackId, ticket, TICKET_SECONDS * 1000);
      const place = await placeOf(store, stack, stackId, ticket.id);
      if (place === undefined) throw new Refusal(409, 'The place is one in the queue of another stack.');
      return place;
    });
  }

  /** Looks at a place. Returns undefined if it is none any more. */
  #look(stack: StackId, ticket: string): Promise<Place | undefined> {
    return inStackTurn(this.#ports, [stack], async (ports) => {
      const { id } = await recordOf(ports, stack);
      return placeOf(ports.store, stack, id, ticket);
    });
  }

  async leave(stack: StackId, ticket: string): Promise<void> {
    await inStackTurn(this.#ports, [stack], async (ports) => {
      checkTicket(ticket);
      await ports.store.removeTicket((await recordOf(ports, stack)).id, ticket);
    });
    this.#wakening.wake();
  }
}

/** Refuses a new place in a full queue. Those who wait keep theirs. */
export function refuseFullQueue(
  waiting: readonly Pick<Ticket, 'id'>[],
  { id }: Pick<Ticket, 'id'>,
  { stack }: StackId,
): void {
  if (waiting.length < MOST_TICKETS || waiting.some((each) => each.id === id)) return;
  throw new Refusal(409, `Too many clients wait for stack '${stack}'.`);
}

async function placeOf(
  store: StackStore,
  stack: StackId,
  stackId: string,
  ticket: string,
): Promise<Place | undefined> {
  const tickets = await store.tickets(stackId);
  const place = tickets.findIndex(({ id }) => id === ticket);
  if (place < 0) return undefined;
  const before = tickets.slice(0, place).map(({ by }) => ({ by }));
  return { before, current: await currentWork(store, stack) };
}

async function currentWork(store: StackStore, stack: StackId): Promise<Place['current']> {
  const running = await store.runningUpdate(stack);
  if (running !== undefined) return currentOperationOf(running.record);
  const other = await store.otherHolder(stack);
  return other && { kind: 'lock', author: other.by, started: other.since };
}

/** Refuses a start while others wait who asked before. Runs in the stack's turn. */
export async function refuseOutOfTurn(
  { store }: TurnPorts,
  stackId: string,
  ticket: string | undefined,
): Promise<void> {
  const [first, ...rest] = await store.tickets(stackId);
  if (first === undefined || first.id === ticket) return;
  const others = rest.length === 0 ? '' : `, and ${rest.length} more`;
  throw anotherUpdate(`${first.by} waits for the stack and asked before${others}.`);
}

function checkTicket(id: string): void {
  if (!UUID.test(id)) throw new Refusal(400, 'The name of a place in the queue is not a UUID.');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
