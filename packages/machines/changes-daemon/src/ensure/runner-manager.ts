import type { ChangeMachine } from '@cairn/changes';
import type { Manager } from './managers.js';

/**
 * Runs the tasks of changes whose passes are asked for from outside (`MachineOptions.ensureBefore`). The last of the
 * managers, so that what the others decided in a pass starts with it.
 */
export class RunnerManager implements Manager {
  /** `machines`: those of the changes that are not clean yet. */
  constructor(private readonly machines: () => Iterable<ChangeMachine>) {}

  ensure(): void {
    for (const machine of this.machines()) machine.ensure();
  }

  async wait(): Promise<void> {
    for (const machine of this.machines()) await machine.quiet();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.machines()].map((machine) => machine.stop()));
  }
}
