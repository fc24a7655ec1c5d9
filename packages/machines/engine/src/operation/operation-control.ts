import {
  BugError,
  errorDiagnostic,
  isCairnError,
  isOutOfDescriptors,
  messageOf,
  outOfDescriptors,
} from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { Report } from '../model/report.js';

/**
 * Decides whether an operation may continue. Its own rules, a fault outside its steps, or a bug in Cairn end it early.
 */
export class OperationControl {
  /** True if a person has ended it. */
  cancelled = false;
  /** True if providers were asked to end their running calls. */
  callsCancelled = false;
  /** Resolves when the operation no longer waits for anything; perhaps never. */
  readonly killed: Promise<void>;
  #stopped = false;
  #bug: { readonly thrown: unknown } | undefined;
  readonly #faults = new Set<unknown>();
  #abandoned = false;
  #resolveKilled: () => void = () => undefined;
  readonly #stops: (() => void)[] = [];
  readonly #kills: (() => void)[] = [];
  readonly #faultsHeard: (() => void)[] = [];
  readonly #report: Pick<Report, 'diagnostic' | 'failed'>;

  constructor(report: Pick<Report, 'diagnostic' | 'failed'>) {
    this.#report = report;
    this.killed = new Promise((resolve) => (this.#resolveKilled = resolve));
  }

  /** True if nothing more may start. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /**
   * Adds `stop`, which stops starting new work. The last one added is called first: parts that take work in come before
   * those that carry it out.
   */
  onStop(stop: () => void): void {
    this.#stops.unshift(stop);
    if (this.#stopped) stop();
  }

  /** Adds `abandon`, which abandons running work. */
  onKill(abandon: () => void): void {
    this.#kills.push(abandon);
  }

  /** Adds `end`, which ends work that would otherwise continue after a fault or a bug. */
  onFault(end: () => void): void {
    this.#faultsHeard.push(end);
  }

  /** The first bug in Cairn that ended it, if any. */
  get bug(): BugError | undefined {
    return this.#bug && asBug(this.#bug.thrown);
  }

  /** Lets running work end and starts nothing more. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const stop of this.#stops) stop();
  }

  /** Stops waiting for running work. */
  kill(): void {
    this.#abandon();
    this.#resolveKilled();
  }

  /** Records an external failure that no step and no registration accounts for. Each failure is reported once. */
  storeFailed(thrown: unknown): void {
    if (thrown instanceof BugError) {
      this.#bug ??= { thrown };
      return;
    }
    if (this.#faults.has(thrown)) return;
    this.#faults.add(thrown);
    const report = this.#report;
    if (!this.#abandoned) for (const each of diagnosticsOf(thrown)) report.diagnostic(each);
    report.failed = true;
    this.stop();
    for (const end of this.#faultsHeard) end();
  }

  /** Records a bug in Cairn: running work is left as it is. */
  internalError(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.#abandon();
    for (const end of this.#faultsHeard) end();
    this.#resolveKilled();
  }

  #abandon(): void {
    this.#abandoned = true;
    for (const abandon of this.#kills) abandon();
  }
}

function diagnosticsOf(thrown: unknown): readonly Diagnostic[] {
  if (isCairnError(thrown)) return thrown.diagnostics;
  if (isOutOfDescriptors(thrown)) return outOfDescriptors('continue', thrown).diagnostics;
  return [errorDiagnostic('CAIRN-INTERNAL', `internal error: ${messageOf(thrown)}`)];
}

function asBug(thrown: unknown): BugError {
  return thrown instanceof BugError ? thrown : new BugError(messageOf(thrown), { cause: thrown });
}
