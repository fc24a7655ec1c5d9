import type { Outcome } from '@cairn/changes';
import type { JournalEntry } from '@cairn/state';

/** Where outcomes with entries go. */
export interface OutcomePorts {
  /** Seals an entry for the store; previews have none. */
  readonly encode: ((entry: JournalEntry) => unknown) | undefined;
  /** A mistake of ours that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
}

/**
 * The outcome with its journal entry, which is made at the very moment the outcome is recorded: so the live state, the
 * sequence ids and the order of the journal are one, and what the entry needs before it is in the same transaction.
 */
export function recordedOutcome<O extends Outcome>(
  outcome: O,
  record: () => JournalEntry | undefined,
  { encode, onBug }: OutcomePorts,
): O {
  let made: { readonly entry: unknown } | undefined;
  const make = (): unknown => {
    try {
      const entry = record();
      return entry === undefined || encode === undefined ? undefined : encode(entry);
    } catch (thrown) {
      onBug(thrown);
      throw thrown;
    }
  };
  return Object.defineProperty({ ...outcome }, 'entry', {
    enumerable: true,
    get: () => (made ??= { entry: make() }).entry,
  });
}
