import type { ServedChange } from '../domain/served-change.js';

/** Texts of records of a change, and of the journal entries that they refer to. */
export interface RecordTexts {
  readonly records: readonly string[];
  readonly entries: readonly string[];
}

/** Changes of stacks, with their records and messages. Stacks are named by their immutable ids. */
export interface ServedChangeStore {
  /** Returns the changes of a stack, oldest first. */
  changes(stackId: string): Promise<readonly ServedChange[]>;
  /** Returns the numbers of the changes of a stack, in ascending order. */
  changeNumbers(stackId: string): Promise<readonly number[]>;
  /** Returns one change of a stack. */
  change(stackId: string, number: number): Promise<ServedChange | undefined>;
  putChange(stackId: string, change: ServedChange): Promise<void>;
  /** Removes a change with its records and messages, and the journal of its update. */
  removeChange(stackId: string, change: ServedChange): Promise<void>;
  /** Returns the records of a change after a number, in order. */
  changeRecords(stackId: string, change: ServedChange, after: number): Promise<RecordTexts>;
  /** Returns the texts of the messages to a change, in order of arrival. */
  messages(stackId: string, number: number): Promise<readonly string[]>;
  /** Adds a message. Runs in a turn of the stack. */
  addMessage(stackId: string, number: number, message: string): Promise<void>;
}
