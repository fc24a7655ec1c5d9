import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import type { UndoHold } from '../../decide/undo.js';
import type { RollbackCounts } from '../../model/events.js';
import type { WaitingTask } from '../../model/result.js';
import type { StepKind } from '../../model/step-kinds.js';
import { isInternalStep } from '../../model/step-view.js';
import type { Step } from '../../model/step.js';

/** Undo that waits for the consent of a person. */
interface AwaitedConsent {
  readonly task: string;
  readonly urn: Urn;
  readonly why: string;
}

/** Results of the undos of an operation so far. A preview counts the undos that would take place. */
export class UndoTally {
  readonly counts = { undone: 0, held: 0, retained: 0, failed: 0 };
  readonly consents: AwaitedConsent[] = [];
  /** Entries of undos that may or may not have taken effect. They are not undone again before that is known. */
  readonly unsure: ResourceEntry[] = [];
  /** Steps that undid a change, by resource: each creates, updates or deletes an object. */
  readonly #kinds = new Map<Urn, StepKind[]>();

  /** The engine's own steps do not count. */
  noteUndone(step: Step): void {
    if (isInternalStep(step)) return;
    this.counts.undone += 1;
    const kinds = this.#kinds.get(step.urn);
    if (kinds === undefined) this.#kinds.set(step.urn, [step.kind]);
    else kinds.push(step.kind);
  }

  /** Counts an object that remains as it is. */
  noteKept(because: UndoHold): void {
    this.counts[because.t === 'retain' ? 'retained' : 'held'] += 1;
  }

  /** Counts so far. Undefined if there was nothing to undo. */
  get result(): RollbackCounts | undefined {
    const { undone, held, retained, failed } = this.counts;
    if (undone + held + retained + failed === 0) return undefined;
    return { undone, held, retained, failed, changes: this.#changes() };
  }

  /** Undos that wait for a person's consent to a new object. */
  get awaited(): readonly WaitingTask[] {
    return this.consents.map((each) => ({ ...each, kind: 'consent' }));
  }

  /**
   * Counts resources by the kinds of their undo steps. A resource that got a new object in place of another one is
   * replaced.
   */
  #changes(): Readonly<Partial<Record<StepKind, number>>> {
    const counts: Partial<Record<StepKind, number>> = {};
    for (const kinds of this.#kinds.values()) {
      const replaced = kinds.includes('create') && kinds.includes('delete');
      for (const kind of replaced ? (['replace'] as const) : new Set(kinds))
        counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }
}
