import { BugError } from '@cairn/diagnostics';
import type { CallLimits, Need } from '../../ports.js';

/** {@link CallLimits} of one process. */
export class ProcessLimits implements CallLimits {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<(name: string) => void>>();

  full(needs: readonly Need[]): string | undefined {
    return needs.find(({ name, most }) => this.taken(name) >= most)?.name;
  }

  taken(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  take(needs: readonly Need[]): void {
    needs.forEach(({ name }) => this.#taken.set(name, this.taken(name) + 1));
  }

  giveBack(needs: readonly Need[]): void {
    for (const { name } of needs) {
      const taken = this.taken(name) - 1;
      if (taken < 0) throw new BugError(`${name} is given back more often than it was taken`);
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
    for (const { name } of needs) this.#tell(name);
  }

  whenFree(name: string, tell: (name: string) => void): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) this.#waiting.set(name, new Set([tell]));
    else waiting.add(tell);
  }

  forget(tell: (name: string) => void): void {
    for (const [name, waiting] of this.#waiting)
      if (waiting.delete(tell) && waiting.size === 0) this.#waiting.delete(name);
  }

  #tell(name: string): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return;
    this.#waiting.delete(name);
    for (const tell of waiting) tell(name);
  }
}

/** Limits that all operations of this process share, unless they receive others. */
export const processLimits: CallLimits = new ProcessLimits();
