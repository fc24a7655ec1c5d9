import type { Intake } from '@cairn/wire';

/** Measures of the work under way. */
interface RegistrationIntakeParts {
  /**
   * Returns the number of registrations, decided or not, that wait only for a free slot, for a question or a step.
   * O(1).
   */
  readonly waiting: () => number;
  /** Number of registrations that may wait before others are held back. */
  readonly room: number;
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels the call. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/**
 * Minimum number of registrations that may wait for a slot, so that the next decision is ready when one becomes free.
 */
const LEAST_ROOM = 128;

/** Returns the number of registrations that may wait for a slot when `parallel` questions or steps run at a time. */
export function roomFor(parallel: number): number {
  return Math.max(LEAST_ROOM, 2 * parallel);
}

/** Milliseconds without an concurrency after which some registrations are let in anyway. */
const STALLED_MS = 1_000;

/**
 * Holds registrations back, undecoded and in order, while too many others wait for a slot. A program that registers
 * everything at once would otherwise have all of it in memory several times. Only the time at which a registration is
 * processed changes: registrations are still decided in order. A caller that must know everything that has arrived
 * calls {@link letAllIn} first. Registrations that wait for an approval, another resource or a constructor do not
 * count.
 */
export class RegistrationIntake implements Intake {
  /** Held registrations. Those before `#next` have been let in. */
  readonly #held: ((() => void) | undefined)[] = [];
  #next = 0;
  #cameIn = 0;
  #entering = 0;
  #entered = 0;
  #letting = false;
  #over = false;
  #callOff: (() => void) | undefined;
  readonly #parts: RegistrationIntakeParts;

  constructor(parts: RegistrationIntakeParts) {
    this.#parts = parts;
  }

  get open(): boolean {
    return this.#over || (this.#isEmpty && !this.#isCrowded);
  }

  wait(enter: () => void): void {
    this.#held.push(enter);
    this.#watch();
  }

  /**
   * Counts work on a registration before it can wait for a slot as waiting. Registrations that come after it do not
   * overtake it.
   */
  entering(work: Promise<unknown>): void {
    this.#entering += 1;
    const over = () => {
      this.#entered += 1;
      // Deferred, because the continuation of the work has yet to run.
      if (this.#entered === 1) setImmediate(() => this.#haveEntered());
    };
    work.then(over, over);
  }

  /** Checks for room after an event. O(1) apart from the registrations that it lets in. */
  look(): void {
    if (this.#isEmpty || this.#letting) return;
    this.#let(() => !this.#isCrowded);
  }

  /** Lets in everything that has arrived. */
  letAllIn(): void {
    const end = this.#held.length;
    this.#let(() => this.#next < end);
  }

  /** Admits everything from now on. */
  close(): void {
    this.#over = true;
    this.letAllIn();
  }

  #haveEntered(): void {
    this.#entering -= this.#entered;
    this.#entered = 0;
    this.look();
  }

  get #isEmpty(): boolean {
    return this.#next === this.#held.length;
  }

  get #isCrowded(): boolean {
    return this.#parts.waiting() + this.#entering >= this.#parts.room;
  }

  #let(more: () => boolean): void {
    const outer = this.#letting;
    this.#letting = true;
    try {
      while (!this.#isEmpty && more()) this.#take()?.();
    } finally {
      this.#letting = outer;
    }
    if (!this.#isEmpty) return;
    this.#callOff?.();
    this.#callOff = undefined;
  }

  #take(): (() => void) | undefined {
    const enter = this.#held[this.#next];
    this.#held[this.#next] = undefined;
    this.#next += 1;
    this.#cameIn += 1;
    if (this.#isEmpty) this.#next = this.#held.length = 0;
    return enter;
  }

  /**
   * Lets some registrations in if none was let in for a while. The work that keeps others out may itself wait for one
   * of them.
   */
  #watch(): void {
    if (this.#callOff !== undefined || this.#isEmpty) return;
    const before = this.#cameIn;
    this.#callOff = this.#parts.after(STALLED_MS, () => {
      this.#callOff = undefined;
      let some = before === this.#cameIn ? this.#parts.room : 0;
      this.#let(() => some-- > 0);
      this.#watch();
    });
  }
}
