import { BugError } from '@cairn/diagnostics';
import type { ChangeRecord } from './records.js';

/** Where the records of one change are kept. */
export interface ChangeStore {
  /**
   * Adds records at the end. They are durable when the promise resolves, and appends resolve in the order of the calls.
   * The records of one transaction are always given in one call. After a failed append every later one fails with the
   * same cause.
   */
  append(records: readonly ChangeRecord[]): Promise<void>;
  /**
   * Runs a function in a later turn: how long records wait for others before they are handed over together. Absent:
   * until everything that follows at once has been done. A store to which each call is a cost of its own waits for the
   * rest of what came in from outside.
   */
  readonly later?: (run: () => void) => void;
  /** Every record in order, with a torn tail already cut (see `decodeSegment`). */
  load(): Promise<readonly ChangeRecord[]>;
}

/** A store in memory that keeps what it is given. */
export interface MemoryStore extends ChangeStore {
  readonly records: readonly ChangeRecord[];
}

/** A store in memory, optionally starting with the records of another one (for restarts in tests). */
export function memoryStore(initial: readonly ChangeRecord[] = []): MemoryStore {
  const records = [...initial];
  return {
    records,
    append(added) {
      for (const record of added) records.push(record);
      return Promise.resolve();
    },
    load: () => Promise.resolve([...records]),
  };
}

/** A store that keeps nothing, for previews: a change on it cannot be resumed. */
export function discardingStore(): ChangeStore {
  return {
    append: () => Promise.resolve(),
    load: () => Promise.reject(new BugError('a discarding store has nothing to load')),
  };
}
