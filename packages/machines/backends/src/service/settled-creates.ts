import { takeJournalEntry } from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';

/**
 * Creates of an earlier operation that the state has as pending, and that this operation has found to be not done. Its
 * journal says so with a new base (`write`), at any time; services take such an entry at the beginning only. So these
 * entries are kept back, and the pending creates are removed from the state at the end. After a crash before that, the
 * next operation finds out about them once more.
 */
export class SettledCreates {
  readonly #pending: ReadonlySet<string>;
  #kept: ReadonlySet<string> | undefined;
  /** URNs of creates that have begun and not ended, by the number of the operation. */
  readonly #begun = new Map<number, string>();

  constructor(base: SerializedDeployment) {
    this.#pending = creatingIn(base);
  }

  /** True if the journal has said so of a create. */
  get any(): boolean {
    return this.#kept !== undefined;
  }

  /** Takes note of entries, and returns those to send. */
  sift(entries: readonly unknown[]): readonly unknown[] {
    return entries.filter((raw) => {
      const entry = takeJournalEntry(raw, 'of this operation');
      if (entry.kind !== 'write') this.#note(entry);
      else if (entry.newSnapshot !== undefined) this.#kept = creatingIn(entry.newSnapshot);
      return entry.kind !== 'write';
    });
  }

  /** Returns the state without the settled creates, or undefined if it has none. */
  without(state: SerializedDeployment): SerializedDeployment | undefined {
    const kept = this.#kept ?? this.#pending;
    const begun = new Set(this.#begun.values());
    const isSettled = (urn: string): boolean => this.#pending.has(urn) && !kept.has(urn) && !begun.has(urn);
    const pendingOperations = state.pendingOperations.filter(
      ({ type, resource }) => type !== 'creating' || !isSettled(resource.urn),
    );
    return pendingOperations.length === state.pendingOperations.length
      ? undefined
      : { ...state, pendingOperations };
  }

  #note({ kind, operationId, operation }: SerializedJournalEntry): void {
    if (kind !== 'begin') this.#begun.delete(operationId);
    else if (operation?.type === 'creating') this.#begun.set(operationId, operation.resource.urn);
  }
}

function creatingIn({ pendingOperations }: SerializedDeployment): ReadonlySet<string> {
  return new Set(
    pendingOperations.flatMap(({ type, resource }) => (type === 'creating' ? [resource.urn] : [])),
  );
}
