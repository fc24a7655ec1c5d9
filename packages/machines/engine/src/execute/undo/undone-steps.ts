import type { Urn } from '@cairn/addresses';
import type { StepKind } from '../../model/step-kinds.js';
import type { Step } from '../../model/step.js';

/** Steps that undid a change, by resource: each creates, updates or deletes an object. */
export class UndoneSteps {
  readonly #kinds = new Map<Urn, StepKind[]>();

  note({ urn, kind }: Pick<Step, 'urn' | 'kind'>): void {
    const kinds = this.#kinds.get(urn);
    if (kinds === undefined) this.#kinds.set(urn, [kind]);
    else kinds.push(kind);
  }

  /**
   * Counts resources by the kinds of their undo steps. A resource that got a new object in place of another one is
   * replaced.
   */
  counts(): Readonly<Partial<Record<StepKind, number>>> {
    const counts: Partial<Record<StepKind, number>> = {};
    for (const kinds of this.#kinds.values()) {
      const replaced = kinds.includes('create') && kinds.includes('delete');
      for (const kind of replaced ? (['replace'] as const) : new Set(kinds))
        counts[kind] = (counts[kind] ?? 0) + 1;
    }
    return counts;
  }
}
