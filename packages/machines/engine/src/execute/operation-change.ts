import { EntryMaker } from '@cairn/changes';
import type { ChangeMachine, ChangeTx, CallOutcome } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import type { JournalEntry } from '@cairn/state';

/** Connections of an operation's change. */
interface OperationChangeParts {
  /** Seals an entry for the store. Undefined in previews. */
  readonly encode: ((entry: JournalEntry) => unknown) | undefined;
  /** Called for an internal error that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
  /** Called when the store has failed: the operation ends with its error. */
  readonly onFault: (thrown: unknown) => void;
}

/** Change that records an operation, with the journal entries in it. */
export class OperationChange {
  #abandoned = false;

  readonly #parts: OperationChangeParts;

  constructor(
    readonly machine: ChangeMachine,
    parts: OperationChangeParts,
  ) {
    this.#parts = parts;
  }

  /** True if nothing more is recorded. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Alters the change. If the store has failed, it does nothing except to notify the operation. */
  tx<R>(work: (t: ChangeTx) => R): R | undefined {
    return this.#guarded(() => this.machine.tx(work));
  }

  /** Notifies the operation that the store has failed. */
  failed(thrown: unknown): void {
    this.#parts.onFault(thrown);
  }

  /** Starts nothing more. Running tasks may finish. */
  hold(reason: string): void {
    if (this.#abandoned) return;
    this.#guarded(() => {
      if (!this.machine.change.isReady) this.machine.hold(reason);
    });
  }

  /** Abandons everything immediately. */
  abandon(): void {
    this.#abandoned = true;
    this.machine.kill();
  }

  /** Returns the stored form of an entry, if any. */
  sealed(entry: JournalEntry | undefined): unknown {
    return entry === undefined ? undefined : this.#parts.encode?.(entry);
  }

  /** Writes a journal entry that belongs to no task. */
  write(entry: JournalEntry): void {
    if (this.#parts.encode === undefined || this.#abandoned) return;
    const sealed = this.#parts.encode(entry);
    this.tx((t) => t.entry(sealed));
  }

  /**
   * Returns the outcome with its journal entry, which is made at the moment when the outcome is recorded. So the live
   * state, the sequence ids and the order of the journal agree. Preceding entries that it needs are in the same
   * transaction.
   */
  recorded<O extends CallOutcome>(outcome: O, record: () => JournalEntry | undefined): O {
    const make = (): unknown => {
      try {
        return this.sealed(record());
      } catch (thrown) {
        this.#parts.onBug(thrown);
        throw thrown;
      }
    };
    return { ...outcome, entry: new EntryMaker(make) };
  }

  #guarded<R>(work: () => R): R | undefined {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof BugError) throw thrown;
      this.#parts.onFault(thrown);
      return undefined;
    }
  }
}
