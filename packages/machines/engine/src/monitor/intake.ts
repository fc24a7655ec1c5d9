import type { Intake } from '@cairn/wire';

/** What tells how much is under way. */
interface RegistrationIntakeParts {
  /**
   * How many decided or undecided registrations wait for nothing but a free place: for a question or for a step. O(1).
   */
  readonly waiting: () => number;
  /** How many may wait before others are held back. */
  readonly room: number;
  /** Calls after so many milliseconds; returns what calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** Fewest registrations that may wait for a place: what is decided next is at hand whenever one becomes free. */
const LEAST_ROOM = 128;

/** How many may wait for a place when so many questions or steps run at a time. */
export function roomFor(parallel: number): number {
  return Math.max(LEAST_ROOM, 2 * parallel);
}

/** How long nobody comes in before some are let in all the same. */
const STALLED_MS = 1_000;

/**
 * Holds registrations back, undecoded and in their order, while more of them wait for a place than could soon have one:
 * a program that registers everything at once would else have all of it in memory several times. It changes nothing but
 * when a registration is looked at: those in front are decided before it as ever, and whoever must know everything that
 * has arrived calls {@link letAllIn} first. What waits for an approval, for another resource or for a constructor does
 * not count.
 */
export class RegistrationIntake implements Intake {
  /** Those before `#next` have come in. */
  readonly #held: ((() => void) | undefined)[] = [];
  #next = 0;
  #cameIn = 0;
  #entering = 0;
  #entered = 0;
  #letting = false;
  #over = false;
  #callOff: (() => void) | undefined;

  constructor(private readonly parts: RegistrationIntakeParts) {}

  get open(): boolean {
    return this.#over || (this.#isEmpty && !this.#isCrowded);
  }

  wait(enter: () => void): void {
    this.#held.push(enter);
    this.#watch();
  }

  /**
   * Work on a registration before it can wait for a place counts as waiting. Whoever comes in after it does not
   * overtake it.
   */
  entering(work: Promise<unknown>): void {
    this.#entering += 1;
    const over = () => {
      this.#entered += 1;
      // Later, because what follows on the work has yet to run.
      if (this.#entered === 1) setImmediate(() => this.#haveEntered());
    };
    work.then(over, over);
  }

  /** Something has happened: there may be room. O(1) but for those that are let in. */
  look(): void {
    if (this.#isEmpty || this.#letting) return;
    this.#let(() => !this.#isCrowded);
  }

  /** Everything that has arrived comes in now. */
  letAllIn(): void {
    const end = this.#held.length;
    this.#let(() => this.#next < end);
  }

  /** Nothing is held back any more. */
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
    return this.parts.waiting() + this.#entering >= this.parts.room;
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

  /** What keeps others out may itself wait for one of them: when nobody comes in for a while, some do. */
  #watch(): void {
    if (this.#callOff !== undefined || this.#isEmpty) return;
    const before = this.#cameIn;
    this.#callOff = this.parts.after(STALLED_MS, () => {
      this.#callOff = undefined;
      let some = before === this.#cameIn ? this.parts.room : 0;
      this.#let(() => some-- > 0);
      this.#watch();
    });
  }
}
