/** Place of a client that waits for a stack. `by` is the name of its user. */
export interface Ticket {
  readonly id: string;
  readonly by: string;
}

/** Queues of stacks, which are named by their immutable ids. A place lapses by the clock of the store. */
export interface QueueStore {
  /** Returns the places that have not lapsed, in the order of asking. */
  tickets(stackId: string): Promise<readonly Ticket[]>;
  /**
   * Keeps a place for some time, in milliseconds. One that is not there, or has lapsed, is a new one behind all others.
   * Runs in a turn of the stack.
   */
  keepTicket(stackId: string, ticket: Ticket, ms: number): Promise<void>;
  /** Gives a place up. Runs in a turn of the stack. */
  removeTicket(stackId: string, id: string): Promise<void>;
}
