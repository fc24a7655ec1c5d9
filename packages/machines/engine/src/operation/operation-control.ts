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
 * Whether an operation may go on, and what ends it before its time: its own rules, a fault outside its steps, or a
 * mistake of ours.
 */
export class OperationControl {
  /** A person has ended it. */
  cancelled = false;
  /** Providers were asked to end what they do. */
  callsCancelled = false;
  /** Resolves when nothing of it is waited for any more; perhaps never. */
  readonly killed: Promise<void>;
  #stopped = false;
  #bug: { readonly thrown: unknown } | undefined;
  readonly #faults = new Set<unknown>();
  #abandoned = false;
  #resolveKilled: () => void = () => undefined;
  readonly #stops: (() => void)[] = [];
  readonly #kills: (() => void)[] = [];
  readonly #faultsHeard: (() => void)[] = [];

  constructor(private readonly report: Pick<Report, 'diagnostic' | 'failed'>) {
    this.killed = new Promise((resolve) => (this.#resolveKilled = resolve));
  }

  /** Nothing more may start. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** `stop`: starts nothing more. Who comes last is told first: what takes work in, before what carries it out. */
  onStop(stop: () => void): void {
    this.#stops.unshift(stop);
    if (this.#stopped) stop();
  }

  /** `abandon`: lets go of what runs. */
  onKill(abandon: () => void): void {
    this.#kills.push(abandon);
  }

  /** `end`: ends what would go on by itself, after a fault or a mistake. */
  onFault(end: () => void): void {
    this.#faultsHeard.push(end);
  }

  /** The mistake of ours that ended it; the first one. */
  get bug(): BugError | undefined {
    return this.#bug && asBug(this.#bug.thrown);
  }

  /** What runs may end; nothing more starts. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const stop of this.#stops) stop();
  }

  /** What runs is not waited for. */
  kill(): void {
    this.#abandon();
    this.#resolveKilled();
  }

  /** Something outside failed in a way that no step and no registration accounts for. It is told once. */
  fault(thrown: unknown): void {
    if (thrown instanceof BugError) {
      this.#bug ??= { thrown };
      return;
    }
    if (this.#faults.has(thrown)) return;
    this.#faults.add(thrown);
    const { report } = this;
    if (!this.#abandoned) for (const each of diagnosticsOf(thrown)) report.diagnostic(each);
    report.failed = true;
    this.stop();
    for (const end of this.#faultsHeard) end();
  }

  /** A mistake of ours: what runs is left as it is. */
  mistake(thrown: unknown): void {
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
  if (isOutOfDescriptors(thrown)) return outOfDescriptors('go on', thrown).diagnostics;
  return [errorDiagnostic('CAIRN-INTERNAL', `internal error: ${messageOf(thrown)}`)];
}

function asBug(thrown: unknown): BugError {
  return thrown instanceof BugError ? thrown : new BugError(messageOf(thrown), { cause: thrown });
}
