import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import { emptyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { isRetained } from './rows.js';

/** What the counts by kind of a summary do not say. */
export interface Tally {
  /** Of the deletes: how many only forgot an object. */
  readonly retained: number;
  /** What the program has said the outputs of the stack are, with those from before. */
  readonly outputs: { readonly old: PropertyMap; readonly new: PropertyMap } | undefined;
}

/** Counts along with the events of a phase. */
export class RunningTally implements Tally {
  retained = 0;
  outputs: Tally['outputs'];

  take(event: EngineEvent): void {
    if (event.t === 'outputs' && event.step.type === ROOT_STACK_TYPE)
      this.outputs = {
        old: event.step.old?.outputs ?? emptyMap,
        new: event.step.new?.outputs ?? emptyMap,
      };
    if (event.t === 'step-ended' && event.step.kind === 'delete' && isRetained(event.step))
      this.retained += 1;
  }
}

/** Nothing out of the ordinary. */
export const plainTally: Tally = { retained: 0, outputs: undefined };
