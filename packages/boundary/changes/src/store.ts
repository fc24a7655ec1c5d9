import { BugError } from '@cairn/diagnostics';
import type { ChangeRecord } from './records.js';

/** Storage of the records of one change. */
export interface ChangeStore {
  /**
   * Adds records at the end. They are durable when the promise resolves, and appends resolve in the order of the calls.
   * One call always contains the complete records of a transaction. After a failed append every later one fails with
   * the same cause.
   */
  append(records: readonly ChangeRecord[]): Promise<void>;
  /**
   * Runs a function in a later turn. It determines how long records wait to be passed on together. By default, until
   * everything that follows at once is done. A store that pays for each call waits for the rest of the input that has
   * arrived.
   */
  readonly later?: (run: () => void) => void;
  /** Returns every record in order, with a torn tail already cut (see `decodeSegment`). */
  load(): Promise<readonly ChangeRecord[]>;
}

/** Store in memory that keeps its records. */
export interface MemoryStore extends ChangeStore {
  readonly records: readonly ChangeRecord[];
}

/** Creates a store in memory, optionally with the records of another one (for restarts in tests). */
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

/** Creates a store that keeps nothing, for previews: a change on it cannot be resumed. */
export function discardingStore(): ChangeStore {
  return {
    append: () => Promise.resolve(),
    load: () => Promise.reject(new BugError('a discarding store has nothing to load')),
  };
}
