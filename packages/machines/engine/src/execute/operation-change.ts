import { EntryMaker } from '@cairn/changes';
import type { ChangeMachine, ChangeTx, Outcome } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import type { JournalEntry } from '@cairn/state';

/** What the change of an operation is joined to. */
interface OperationChangeParts {
  /** Seals an entry for the store; previews have none. */
  readonly encode: ((entry: JournalEntry) => unknown) | undefined;
  /** A mistake of ours that ends the operation. */
  readonly onBug: (thrown: unknown) => void;
  /** The store has failed: the operation ends with its error. */
  readonly onFault: (thrown: unknown) => void;
}

/** The change that records an operation, with the journal entries in it. */
export class OperationChange {
  #abandoned = false;

  constructor(
    readonly machine: ChangeMachine,
    private readonly parts: OperationChangeParts,
  ) {}

  /** Nothing is recorded any more. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /** Alters the change. Nothing happens once its store has failed, and the operation is told. */
  tx<R>(work: (t: ChangeTx) => R): R | undefined {
    return this.#guarded(() => this.machine.tx(work));
  }

  /** {@link tx} with something to be done right after it. */
  submit<R, S>(work: (t: ChangeTx) => R, then: (result: R) => S): S | undefined {
    return this.#guarded(() => then(this.machine.tx(work)));
  }

  /** The store has failed. */
  failed(thrown: unknown): void {
    this.parts.onFault(thrown);
  }

  /** Starts nothing more; what runs may finish. */
  hold(reason: string): void {
    if (this.#abandoned) return;
    this.#guarded(() => {
      if (!this.machine.change.isReady) this.machine.hold(reason);
    });
  }

  /** Lets go of everything at once. */
  abandon(): void {
    this.#abandoned = true;
    this.machine.kill();
  }

  /** What the store keeps of an entry; undefined: nothing. */
  sealed(entry: JournalEntry | undefined): unknown {
    return entry === undefined ? undefined : this.parts.encode?.(entry);
  }

  /** A journal entry that belongs to no task. */
  write(entry: JournalEntry): void {
    if (this.parts.encode === undefined || this.#abandoned) return;
    const sealed = this.parts.encode(entry);
    this.tx((t) => t.entry(sealed));
  }

  /**
   * The outcome with its journal entry, which is made at the very moment the outcome is recorded: so the live state,
   * the sequence ids and the order of the journal are one, and what the entry needs before it is in the same
   * transaction.
   */
  recorded<O extends Outcome>(outcome: O, record: () => JournalEntry | undefined): O {
    const make = (): unknown => {
      try {
        return this.sealed(record());
      } catch (thrown) {
        this.parts.onBug(thrown);
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
      this.parts.onFault(thrown);
      return undefined;
    }
  }
}
