import type { JournalEnd, MovingChange, StackId, StateText } from '@cairn/backends';
import type { StartedChange } from '@cairn/http-api';
import type { ServedChange } from '../domain/served-change.js';
import type { ChangingUpdate } from '../domain/update-record.js';

/** Texts of records of a change, and of the journal entries that they refer to. */
export interface RecordTexts {
  readonly records: readonly string[];
  readonly entries: readonly string[];
}

/** Stack whose changes are wanted, with its immutable id. A stack that the service never changed may have no id. */
export interface StackOfChanges {
  readonly stack: StackId;
  readonly stackId: string;
}

/** State that an update starts from, and the number of the version before it. */
interface StartOfChange {
  readonly version: number;
  readonly base: StateText;
}

/** End of the change of an update, and the state that it left. Without `left`, its state could not be stored. */
interface EndOfChange {
  readonly end: JournalEnd;
  readonly left: StateText | undefined;
  /** Number of changes to keep. */
  readonly keep: number;
}

/** Choice of changes of a stack: a number of the newest, or one by its number. */
export type ChosenChanges = { readonly newest: number } | { readonly number: number };

/**
 * Change that ended elsewhere. `base` is the state that it started from, `lock` the id of the update that represents it
 * here, and `by` the user who adds it. `texts` are those of its records.
 */
export interface TakenChange extends Omit<MovingChange, 'base'> {
  readonly base: StateText | undefined;
  readonly texts: readonly string[];
  readonly lock: string;
  readonly by: string;
}

/** Changes of stacks, with their records and messages. */
export interface ServedChangeStore {
  /** Returns changes of a stack, oldest first: all, a number of the newest, or one by its number. */
  changes(of: StackOfChanges, choice?: ChosenChanges): Promise<readonly ServedChange[]>;
  /** Returns the numbers of the changes of a stack, in ascending order. */
  changeNumbers(of: StackOfChanges): Promise<readonly number[]>;
  /** Returns the update and the end of one change of a stack. */
  change(of: StackOfChanges, number: number): Promise<FoundChange | undefined>;
  /**
   * Opens the change of an update that starts. Numbers grow, and are those of versions as long as every version is a
   * change.
   */
  openChange(of: StackOfChanges, update: ChangingUpdate, start: StartOfChange): Promise<StartedChange>;
  /**
   * Closes the change of an update whose state was stored, or could not be stored, and removes changes that need not be
   * kept any more. May be repeated.
   */
  closeChange(of: StackOfChanges, update: ChangingUpdate, end: EndOfChange): Promise<void>;
  /**
   * Adds a change that has ended. `there`: it is the one that has its number. `taken`: another one has it. Runs in a
   * turn of the stack, under its lock.
   */
  takeChange(of: StackOfChanges, change: TakenChange): Promise<'added' | 'there' | 'taken'>;
  /** Returns the state that a change started from, where changes may begin without the service. */
  readonly changeBase?: (of: StackOfChanges, number: number) => Promise<StateText | undefined>;
  /** Returns the records of a change after a number, in order. */
  changeRecords(of: StackOfChanges, change: NamedChange, after: number): Promise<RecordTexts>;
  /** Returns the texts of the messages to a change, in order of arrival. */
  messages(of: StackOfChanges, number: number): Promise<readonly string[]>;
  /** Adds a message. Runs in a turn of the stack. */
  addMessage(of: StackOfChanges, number: number, message: string): Promise<void>;
}

/** Change by its number and its update. */
export interface NamedChange {
  readonly number: number;
  readonly update: string;
}

/** Change, with the tasks of its end. */
export interface FoundChange extends NamedChange {
  readonly tasks: JournalEnd['tasks'];
}
