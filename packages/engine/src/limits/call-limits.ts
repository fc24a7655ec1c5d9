import { BugError } from '@cairn/diagnostics';
import type { Need } from './needs.js';

/**
 * Counts the calls with an effect that are under way, over all operations that share it. Taking and giving back are the only changes; who
 * finds something full is told once when that is no longer so.
 */
export class CallLimits {
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Set<(name: string) => void>>();

  /** The first of the needs that cannot be met now; undefined: all can. */
  full(needs: readonly Need[]): string | undefined {
    return needs.find(({ name, most }) => this.taken(name) >= most)?.name;
  }

  /** How much is taken of what has this name. */
  taken(name: string): number {
    return this.#taken.get(name) ?? 0;
  }

  /** Takes all of them. */
  take(needs: readonly Need[]): void {
    for (const { name } of needs) this.#taken.set(name, this.taken(name) + 1);
  }

  /** Gives back what was taken, and tells who waits for it. */
  giveBack(needs: readonly Need[]): void {
    for (const { name } of needs) {
      const taken = this.taken(name) - 1;
      if (taken < 0) throw new BugError(`${name} is given back more often than it was taken`);
      if (taken === 0) this.#taken.delete(name);
      else this.#taken.set(name, taken);
    }
    for (const { name } of needs) this.#tell(name);
  }

  /** Calls `tell` once, when something of this name is given back; asking again before that changes nothing. */
  whenFree(name: string, tell: (name: string) => void): void {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) this.#waiting.set(name, new Set([tell]));
    else waiting.add(tell);
  }

  /** Tells nobody any more of whom this is the way to tell. */
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

/** What all operations of this process share, unless they are given something else. */
export const processLimits = new CallLimits();
