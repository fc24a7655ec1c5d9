import { ROOT_STACK_TYPE } from '@cairn/addresses';
import type { EngineEvent } from '@cairn/engine';
import { isRetained } from './rows.js';

/** What the counts by kind of a summary do not say. */
export interface Tally {
  /** Of the deletes: how many only forgot an object. */
  readonly retained: number;
  /** The program has said what the outputs of the stack are. */
  readonly outputsSaid: boolean;
}

/** Counts along with the events of a phase. */
export class RunningTally implements Tally {
  retained = 0;
  outputsSaid = false;

  take(event: EngineEvent): void {
    if (event.t === 'outputs' && event.step.type === ROOT_STACK_TYPE) this.outputsSaid = true;
    if (event.t === 'step-ended' && event.step.kind === 'delete' && isRetained(event.step))
      this.retained += 1;
  }
}

/** Nothing out of the ordinary. */
export const plainTally: Tally = { retained: 0, outputsSaid: false };
