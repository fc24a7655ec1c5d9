import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import { isInternalStep } from '@cairn/engine';
import type { EngineEvent } from '@cairn/engine';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { keptChange } from './kept-change.js';
import type { KeptChange } from './kept-change.js';
import { isRetained } from './rows.js';

/** Facts that a summary's counts by kind do not contain. */
export interface StepTally {
  /** Number of deletes that only forgot an object. */
  readonly retained: number;
  /** Numbers of otherwise unchanged resources by kind of change. */
  readonly kept: Readonly<Record<KeptChange, number>>;
  /** Outputs of the stack that the program registered, with those from before. */
  readonly outputs: { readonly old: PropertyMap; readonly new: PropertyMap } | undefined;
}

/** Progress of the resources in an operation that did not complete. */
export interface Standing {
  /** Number of failed steps. */
  readonly failed: number;
  /** Number of resources that should have a step and had none. Undefined if the number of resources is unknown. */
  readonly notTried: number | undefined;
}

/** Counts the events of a phase as they come. */
export class RunningTally implements StepTally {
  retained = 0;
  readonly kept = { moved: 0, protected: 0, unprotected: 0 };
  readonly #failed = new Set<Urn>();
  readonly #ended = new Set<Urn>();

  /** Number of resources whose steps have ended, in whatever way. The engine's internal steps do not count. */
  get ended(): number {
    return this.#ended.size;
  }

  /**
   * Returns the progress. `expected` is the number of resources that should have a step. `inDoubt` lists steps that may
   * or may not have failed.
   */
  standing(expected: number | undefined, inDoubt: readonly { readonly urn: Urn }[] = []): Standing {
    const doubts = new Set(inDoubt.map(({ urn }) => urn));
    const ended = new Set([...this.#ended, ...doubts]);
    const notTried = expected === undefined ? undefined : Math.max(0, expected - ended.size);
    return { failed: [...this.#failed].filter((urn) => !doubts.has(urn)).length, notTried };
  }
  outputs: StepTally['outputs'];

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

/** A tally without special facts. */
export const plainTally: StepTally = {
  retained: 0,
  kept: { moved: 0, protected: 0, unprotected: 0 },
  outputs: undefined,
};
