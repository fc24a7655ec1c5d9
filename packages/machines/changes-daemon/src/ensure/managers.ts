import { messageOf } from '@cairn/diagnostics';

type MaybePromise<T> = T | Promise<T>;

/** Looks after one thing, again and again [CHG-30]. Each call may fail; the next pass repeats it. */
export interface Manager {
  /** Called once, before the first pass. */
  startUp?(): MaybePromise<void>;
  /** Called in every pass. It must not wait for the work that it starts. */
  ensure(): MaybePromise<void>;
  /** Waits until running work rests. */
  wait?(): MaybePromise<void>;
  /** Called once, to stop taking new work. */
  shutDown?(): MaybePromise<void>;
  /** Called once, to end running work; resolves when it has ended. */
  stop?(): MaybePromise<void>;
}

type Call = Exclude<keyof Manager, undefined>;

/**
 * Managers of a process, called in the order in which they were added; the one that runs tasks comes last. If one
 * fails, the others are still called. Their errors are thrown together, in order, as one AggregateError.
 */
export class Managers {
  readonly #managers: Manager[] = [];
  #started = false;
  #shut = false;
  #stopped = false;

  add(manager: Manager): void {
    this.#managers.push(manager);
  }

  /** Starts the managers. A second call does nothing. */
  async startUp(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    await this.#callAll('startUp', 'state startup errors');
  }

  async ensure(): Promise<void> {
    if (!this.#started) throw new Error('state engine skipped startup');
    if (this.#stopped) throw new Error('state engine already stopped');
    await this.#callAll('ensure', 'state ensure errors');
  }

  async wait(): Promise<void> {
    await this.#callAll('wait', 'state wait errors');
  }

  /** Tells the managers to take no new work. A second call does nothing. */
  async shutDown(): Promise<void> {
    if (this.#shut) return;
    this.#shut = true;
    await this.#callAll('shutDown', 'state shutdown errors');
  }

  /** Ends the managers' work. A second call does nothing. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#callAll('stop', 'state stop errors');
  }

  async #callAll(call: Call, what: string): Promise<void> {
    const errors: unknown[] = [];
    for (const manager of this.#managers) {
      try {
        await manager[call]?.();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${what}: [${errors.map(messageOf).join(' ')}]`);
  }
}
