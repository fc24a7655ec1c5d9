import { systemClock } from '@cairn/changes';
import { warningDiagnostic } from '@cairn/diagnostics';
import type { EngineClock } from '../ports.js';
import type { Report } from '../model/report.js';

/** Milliseconds that providers get to answer a cancel. */
export const CANCEL_GRACE_MS = 5_000;

/** How long what runs may go on after an abort before its providers are asked to end it. Milliseconds. */
export const ABORT_GRACE_MS = 60_000;

/** What calling off works with. */
interface CallingOffParts {
  readonly clock: EngineClock;
  /** Milliseconds that providers get to answer a cancel. Defaults to {@link CANCEL_GRACE_MS}. */
  readonly cancelGraceMs?: number | undefined;
  /** What runs now, each as a value of its own. */
  readonly running: () => ReadonlySet<object>;
  readonly report: Pick<Report, 'diagnostic'>;
  /** Asks the providers to end what they do. Called once. */
  readonly cancelCalls: () => void;
  /** Nothing more may start, and nothing is rolled back. */
  readonly cancel: () => void;
  /** What still runs is left in doubt. */
  readonly kill: () => void;
}

/** Ends what runs before its time: providers are asked to, and what has not answered after a grace is left in doubt. */
export class CallingOff {
  #aborted = false;
  #cancelled = false;
  #over = false;
  readonly #timers: (() => void)[] = [];

  constructor(private readonly parts: CallingOffParts) {}

  /** The operation was aborted: what runs now may go on for a while. Calling it again changes nothing. */
  aborted(): void {
    if (this.#aborted || this.#over) return;
    this.#aborted = true;
    const then = this.parts.running();
    this.#after(ABORT_GRACE_MS, () => {
      const now = this.parts.running();
      if (this.#cancelled || ![...then].some((each) => now.has(each))) return;
      const seconds = ABORT_GRACE_MS / 1000;
      this.parts.report.diagnostic(
        warningDiagnostic('CAIRN-CANCELLED', `what still runs ${seconds} s after the abort is cancelled`, {
          hint: 'Nothing around it is rolled back: `cairn rollback` does that once it is known what became of it.',
        }),
      );
      this.parts.cancel();
      this.cancelCalls();
    });
  }

  /**
   * Asks the providers to end what runs, and lets go of it after a grace; at once when nothing runs. Calling it again
   * changes nothing.
   */
  cancelCalls(): void {
    if (this.#cancelled || this.#over) return;
    this.#cancelled = true;
    if (this.parts.running().size === 0) return this.parts.kill();
    this.parts.cancelCalls();
    this.#after(this.parts.cancelGraceMs ?? CANCEL_GRACE_MS, () => this.parts.kill());
  }

  /** The operation has ended: nothing is waited for any more. */
  over(): void {
    this.#over = true;
    for (const callOff of this.#timers) callOff();
  }

  #after(ms: number, run: () => void): void {
    const { clock } = this.parts;
    const once = (): void => {
      if (!this.#over) run();
    };
    this.#timers.push(clock.after?.(ms, once) ?? systemClock.after(ms, once));
  }
}
