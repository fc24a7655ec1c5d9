import { systemClock } from '@cairn/changes';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { EngineClock } from '../ports.js';
import type { Report } from '../model/report.js';

/** Milliseconds that providers get to answer a cancel. */
export const CANCEL_GRACE_MS = 5_000;

/** Milliseconds that running steps may continue after an abort before their providers are asked to end them. */
export const ABORT_GRACE_MS = 60_000;

/** Parts that calling off needs. */
interface CallingOffParts {
  readonly clock: EngineClock;
  /** Milliseconds that providers get to answer a cancel. Defaults to {@link CANCEL_GRACE_MS}. */
  readonly cancelGraceMs?: number | undefined;
  /** Returns the running steps, each as a value of its own. */
  readonly running: () => ReadonlySet<object>;
  readonly report: Pick<Report, 'diagnostic'>;
  /** Asks the providers to end their running calls. Called once. */
  readonly cancelCalls: () => void;
  /** Starts nothing more, without a rollback. */
  readonly cancel: () => void;
  /** Leaves running steps in doubt. */
  readonly kill: () => void;
}

/**
 * Ends running steps early: providers are asked to end them, and steps without an answer after a grace period are left
 * in doubt.
 */
export class ShutdownEscalation {
  #aborted = false;
  #cancelled = false;
  #over = false;
  readonly #timers: (() => void)[] = [];
  readonly #parts: CallingOffParts;

  constructor(parts: CallingOffParts) {
    this.#parts = parts;
  }

  /** Reports an abort of the operation. Running steps may continue for a while. Further calls change nothing. */
  aborted(): void {
    if (this.#aborted || this.#over) return;
    this.#aborted = true;
    const then = this.#parts.running();
    this.#after(ABORT_GRACE_MS, () => {
      const now = this.#parts.running();
      if (this.#cancelled || ![...then].some((each) => now.has(each))) return;
      const seconds = ABORT_GRACE_MS / 1000;
      this.#parts.report.diagnostic(
        warningDiagnostic(
          'CAIRN-CANCELLED',
          `steps that still run ${seconds} s after the abort are cancelled`,
          {
            hint: 'Run `cairn rollback` once their outcome is known: the other steps are not rolled back now.',
          },
        ),
      );
      this.#parts.cancel();
      this.cancelCalls();
    });
  }

  /**
   * Asks the providers to end running steps, and abandons those after a grace period; at once if nothing runs. Further
   * calls change nothing.
   */
  cancelCalls(): void {
    if (this.#cancelled || this.#over) return;
    this.#cancelled = true;
    if (this.#parts.running().size === 0) return this.#parts.kill();
    this.#parts.cancelCalls();
    this.#after(this.#parts.cancelGraceMs ?? CANCEL_GRACE_MS, () => this.#parts.kill());
  }

  /** Cancels all timers because the operation has ended. */
  over(): void {
    this.#over = true;
    for (const callOff of this.#timers) callOff();
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.#parts;
    const once = (): void => {
      if (!this.#over) run();
    };
    this.#timers.push(clock.after?.(ms, once) ?? systemClock.after(ms, once));
  }
}
