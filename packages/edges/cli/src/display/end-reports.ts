import type { Diagnostic } from '@cairn/diagnostics';
import type { EngineEvent } from '@cairn/engine';
import { diagnosticKey } from '../terminal/report.js';

/** Options for the division between reports when something happens and reports at the end. */
interface ReportTimes {
  /** True if errors are only named when they happen. */
  readonly brief: boolean;
  /** True if doubts are reported at the end only, with the waiting tasks and their commands. */
  readonly holdsDoubts: boolean;
}

/** Errors and doubts of a pass that the end reports in full, and the errors that were reported before. */
export class EndReports {
  /** Errors that were only named. */
  readonly named: Diagnostic[] = [];
  /** Warnings about steps in doubt that were held back. */
  readonly doubts: Diagnostic[] = [];
  /** Keys of errors that were reported in full when they happened. */
  readonly #reported = new Set<string>();
  readonly #times: ReportTimes;

  constructor(times: ReportTimes) {
    this.#times = times;
  }

  /** Applies an event. Returns true if it is held back, so that the display must not show it. */
  take(event: EngineEvent): boolean {
    if (event.t !== 'diagnostic') return false;
    const { diagnostic, ephemeral } = event;
    if (diagnostic.severity === 'error' && !ephemeral) {
      if (this.#times.brief) this.named.push(diagnostic);
      else this.#reported.add(diagnosticKey(diagnostic));
    }
    if (!this.#times.holdsDoubts || !isDoubt(diagnostic)) return false;
    this.doubts.push(diagnostic);
    return true;
  }

  /** Tells whether an error was reported in full when it happened. */
  isReported(error: Diagnostic): boolean {
    return this.#reported.has(diagnosticKey(error));
  }

  /** Returns everything that is left to report, and forgets it. */
  takeRest(): readonly Diagnostic[] {
    return [...this.doubts.splice(0), ...this.named.splice(0)];
  }
}

function isDoubt({ severity, code }: Diagnostic): boolean {
  return severity === 'warning' && code === 'CAIRN-IN-DOUBT';
}
