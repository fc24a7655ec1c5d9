import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isInternalStep } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { keptChange } from './kept-change.js';
import type { KeptChange } from './kept-change.js';
import { isRetained } from './rows.js';

/** What the counts by kind of a summary do not say. */
export interface Tally {
  /** Of the deletes: how many only forgot an object. */
  readonly retained: number;
  /** Of what stays as it is: how many change all the same. */
  readonly kept: Readonly<Record<KeptChange, number>>;
  /** What the program has said the outputs of the stack are, with those from before. */
  readonly outputs: { readonly old: PropertyMap; readonly new: PropertyMap } | undefined;
}

/** How far the resources of an operation have come that did not come to its end. */
export interface Standing {
  /** Steps that have failed. */
  readonly failed: number;
  /** Resources that were to have a step and had none; undefined where nobody knows how many there are. */
  readonly notTried: number | undefined;
}

/** Counts along with the events of a phase. */
export class RunningTally implements Tally {
  retained = 0;
  readonly kept = { moved: 0, protected: 0, unprotected: 0 };
  readonly #failed = new Set<Urn>();
  readonly #ended = new Set<Urn>();

  /** Resources that have come to an end, however; what the engine does for itself is left out. */
  get ended(): number {
    return this.#ended.size;
  }

  /** `expected`: resources that were to have a step. `inDoubt`: steps of which nobody knows whether they failed. */
  standing(expected: number | undefined, inDoubt: readonly { readonly urn: Urn }[] = []): Standing {
    const doubts = new Set(inDoubt.map(({ urn }) => urn));
    const ended = new Set([...this.#ended, ...doubts]);
    const notTried = expected === undefined ? undefined : Math.max(0, expected - ended.size);
    return { failed: [...this.#failed].filter((urn) => !doubts.has(urn)).length, notTried };
  }
  outputs: Tally['outputs'];

  take(event: EngineEvent): void {
    if (event.t === 'outputs' && event.step.type === ROOT_STACK_TYPE)
      this.outputs = {
        old: event.step.old?.outputs ?? emptyMap,
        new: event.step.new?.outputs ?? emptyMap,
      };
    this.#note(event);
    if (event.t === 'step-ended' && event.step.kind === 'delete' && isRetained(event.step))
      this.retained += 1;
    const kept = event.t === 'step-ended' && !isInternalStep(event.step) ? keptChange(event.step) : undefined;
    if (kept !== undefined) this.kept[kept] += 1;
  }

  #note(event: EngineEvent): void {
    if ((event.t !== 'step-ended' && event.t !== 'step-failed') || isInternalStep(event.step)) return;
    const { urn } = event.step;
    this.#ended.add(urn);
    if (event.t === 'step-failed') this.#failed.add(urn);
    else if (event.undo === true) this.#failed.delete(urn);
  }
}

/** Nothing out of the ordinary. */
export const plainTally: Tally = {
  retained: 0,
  kept: { moved: 0, protected: 0, unprotected: 0 },
  outputs: undefined,
};
