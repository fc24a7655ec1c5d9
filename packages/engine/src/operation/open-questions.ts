import type { OperationControl } from './operation-control.js';

/**
 * How many registrations wait for something that is no task: an answer to a question of a rule, or about a step in
 * doubt.
 */
export class OpenQuestions {
  /** Questions that are being asked. */
  asking = 0;
  #parked = 0;

  constructor(private readonly control: Pick<OperationControl, 'stopped'>) {}

  /** A registration waits, until the operation ends, for an answer about a step in doubt. */
  park(): void {
    this.#parked += 1;
  }

  /** Whether any does. */
  get parked(): boolean {
    return this.#parked > 0 && !this.control.stopped;
  }
}
