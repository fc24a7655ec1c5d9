import type { ChangeRecord } from '@cairn/changes';
import type { SerializedDeployment } from '@cairn/state';
import type { StackId } from '../stack-id.js';
import type { ChangeDescription, JournalEnd } from './change-facts.js';
import type { ControlMessage } from './control-message.js';

/** End of a past change. `same`: it left the state that it started from. */
export type PastEnd = JournalEnd & { readonly same?: true };

/** Change that has ended, as it goes to another backend [STORE-24]. */
export interface MovingChange {
  readonly number: number;
  readonly operation: ChangeDescription;
  readonly end: PastEnd;
  /** Whole, with their entries. */
  readonly records: readonly ChangeRecord[];
  readonly messages: readonly ControlMessage[];
  /** State that it started from, if that is kept. */
  readonly base: SerializedDeployment | undefined;
  /** Names of the states that it started from and left, as the changes of one place name them. */
  readonly states: { readonly base: string; readonly left: string | undefined };
}

/**
 * Outcome of adding a past change. `base` is the name that the place has for the state that the change started from.
 * `left`: this change cannot be added. `refused`: the place takes none, or not from this user.
 */
export type AddedChange =
  | { readonly outcome: 'added' | 'there'; readonly base: string }
  | { readonly outcome: 'left'; readonly why: string }
  | { readonly outcome: 'refused' };

/** Outcome for a change whose number another one has. */
export const NUMBER_TAKEN = { outcome: 'left', why: 'another change has its number there' } as const;

/** Changes that have ended, for copies of a stack. */
export interface PastChanges {
  /** Returns the name of the stored state, as changes name it. */
  stateName(stack: StackId): Promise<string | undefined>;
  /**
   * Returns a change with everything about it, or undefined if it has not ended. Fails with `CAIRN-CHANGE-UNKNOWN`,
   * `CAIRN-JOURNAL-CORRUPT`.
   */
  read(stack: StackId, number: number): Promise<MovingChange | undefined>;
  /**
   * Adds a change under its number. `states` are names of this place; its name for `base` is made anew if the state is
   * given. Adding the same one again changes nothing.
   */
  add(stack: StackId, change: MovingChange): Promise<AddedChange>;
}

/** Returns true if two changes are the same operation, wherever they are kept. */
export function isSameChange(
  a: Pick<MovingChange, 'operation' | 'end'>,
  b: Pick<MovingChange, 'operation' | 'end'>,
): boolean {
  return (
    a.operation.kind === b.operation.kind &&
    a.operation.startTime === b.operation.startTime &&
    a.end.result === b.end.result &&
    a.end.ended === b.end.ended
  );
}
