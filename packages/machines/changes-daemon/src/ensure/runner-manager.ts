import type { ChangeMachine } from '@cairn/changes';
import type { Manager } from './managers.js';

/**
 * Runs the tasks of changes whose passes are requested from outside (`MachineOptions.ensureBefore`). It is the last of
 * the managers, so that decisions of the others take effect in the same pass.
 */
export class RunnerManager implements Manager {
  readonly #machines: () => Iterable<ChangeMachine>;

  /** `machines` returns those of the changes that are not clean yet. */
  constructor(machines: () => Iterable<ChangeMachine>) {
    this.#machines = machines;
  }

  ensure(): void {
    for (const machine of this.#machines()) machine.ensure();
  }

  async wait(): Promise<void> {
    for (const machine of this.#machines()) await machine.quiet();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#machines()].map((machine) => machine.stop()));
  }
}
