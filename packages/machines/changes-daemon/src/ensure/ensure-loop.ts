import type { Clock } from '@cairn/changes';
import { BugError, fail, messageOf } from '@cairn/diagnostics';
import type { Managers } from './managers.js';
import { NextPass } from './next-pass.js';

/** Options of the loop. Times are in milliseconds. */
export interface LoopOptions {
  readonly clock: Clock;
  /** Longest time between two passes. Defaults to 5 minutes. */
  readonly intervalMs?: number;
  /** Time between two prunings. Defaults to 10 minutes. */
  readonly pruneMs?: number;
  /** Removes expired data; a pass follows. */
  readonly prune?: () => void | Promise<void>;
  /** Receives errors of passes and prunings; the loop continues. */
  readonly onError?: (error: unknown) => void;
  /** Tells whether every finished change is clean; settling waits for it. */
  readonly allClean?: () => boolean;
}

const MINUTE = 60_000;

/** Calls the managers again and again: at an interval, earlier on request, and after each pruning. */
export class EnsureLoop {
  readonly #next: NextPass;
  readonly #intervalMs: number;
  #running: Promise<void> | undefined;
  #stopping = false;
  #pruneDue = false;
  #callOffPrune: (() => void) | undefined;
  #wake: (() => void) | undefined;
  /** True while a loop or a settling runs requested passes. */
  #asked = false;
  readonly #managers: Managers;
  readonly #options: LoopOptions;

  constructor(managers: Managers, options: LoopOptions) {
    this.#managers = managers;
    this.#options = options;
    this.#next = new NextPass(options.clock);
    this.#intervalMs = options.intervalMs ?? 5 * MINUTE;
  }

  /**
   * Starts the managers and then the loop. If a manager fails to start, it throws that error and the loop does not
   * begin.
   */
  async start(): Promise<void> {
    await this.#managers.startUp();
    if (this.#running !== undefined) throw new BugError('the ensure loop runs already');
    this.#next.reset(this.#intervalMs);
    this.#planPrune();
    this.#asked = true;
    this.#running = this.#loop();
  }

  /**
   * Requests a pass within `ms` milliseconds; an earlier one remains due. A request without a loop or a settling is a
   * bug.
   */
  ensureBefore(ms: number): void {
    if (!this.#asked) throw new BugError('a pass was asked for before the ensure loop');
    this.#next.ensureBefore(ms);
  }

  /** Ends the loop, then the managers. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake?.();
    await this.#running;
    this.#callOffPrune?.();
    this.#next.stop();
    await this.#managers.shutDown();
    await this.#managers.stop();
  }

  /**
   * Runs passes until one requests no earlier pass and every finished change is clean. Fails after `timeoutMs`. Meant
   * for one-shot processes; it cannot run beside the loop. Throws the managers' errors together at the end.
   */
  async settle(timeoutMs: number): Promise<void> {
    if (this.#running !== undefined) throw new BugError('settling beside the ensure loop');
    await this.#managers.startUp();
    const deadline = this.#now() + timeoutMs;
    const errors: unknown[] = [];
    this.#asked = true;
    try {
      while (!(await this.#settlePass(errors))) {
        if (this.#now() >= deadline) this.#notConverging(errors);
        await this.#passDue(deadline);
      }
    } finally {
      this.#asked = false;
      this.#next.stop();
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(messageOf).join('\n'));
  }

  async #settlePass(errors: unknown[]): Promise<boolean> {
    this.#next.reset(this.#intervalMs);
    const unasked = this.#next.at;
    await this.#managers.ensure().catch((error: unknown) => errors.push(error));
    await this.#managers.wait().catch((error: unknown) => errors.push(error));
    if (this.#next.at < unasked) return false;
    if (this.#options.allClean?.() ?? true) return true;
    // Every pass cleans up: there is nothing to wait for.
    this.#next.ensureBefore(0);
    return false;
  }

  #notConverging(errors: readonly unknown[]): never {
    fail('CAIRN-TIMEOUT', 'Settle is not converging', {
      causes: errors.map(messageOf),
      hint: 'Look at the logs of the tasks: a task asks to be run again and again, or a clean-up never succeeds.',
    });
  }

  async #passDue(deadline: number): Promise<void> {
    const callOff = this.#options.clock.after(Math.max(0, deadline - this.#now()), () =>
      this.#next.ensureBefore(0),
    );
    await this.#next.due();
    callOff();
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      this.#next.reset(this.#intervalMs);
      await this.#guarded(() => this.#managers.ensure());
      if (this.#stopping) return;
      await this.#somethingDue();
      if (!this.#pruneDue || this.#stopping) continue;
      this.#pruneDue = false;
      await this.#guarded(() => this.#options.prune?.());
    }
  }

  #somethingDue(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#pruneDue || this.#stopping) resolve();
      void this.#next.due().then(resolve);
    });
  }

  #planPrune(): void {
    if (this.#options.prune === undefined) return;
    this.#callOffPrune = this.#options.clock.after(this.#options.pruneMs ?? 10 * MINUTE, () => {
      this.#pruneDue = true;
      this.#wake?.();
      this.#planPrune();
    });
  }

  async #guarded(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }
}
