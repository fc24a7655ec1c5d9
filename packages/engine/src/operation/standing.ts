import { BugError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import type { ChainRunner } from '../execute/chain-runner.js';
import type { Neighbourhood } from './neighbourhood.js';
import type { OperationLoop } from './loop.js';
import type { Report } from '../model/report.js';

/** What hears of it when an operation must end. */
export interface StandingParts {
  readonly report: Pick<Report, 'diagnostic' | 'failed'>;
  readonly chains: () => Pick<ChainRunner, 'hold' | 'abandon' | 'abandoned'>;
  /** Undefined while no registration is taken. */
  readonly loop: () => Pick<OperationLoop, 'stop'> | undefined;
  readonly neighbours: Pick<Neighbourhood, 'cancelProgram'>;
}

/**
 * Whether an operation may go on, and what ends it before its time: its own rules, a fault outside its steps, or a
 * mistake of ours.
 */
export class Standing {
  /** A person has ended it. */
  cancelled = false;
  /** Providers were asked to end what they do. */
  callsCancelled = false;
  /** Resolves when nothing of it is waited for any more; perhaps never. */
  readonly killed: Promise<void>;
  #stopped = false;
  #bug: { readonly thrown: unknown } | undefined;
  readonly #faults = new Set<unknown>();
  #kill: () => void = () => undefined;

  constructor(private readonly parts: StandingParts) {
    this.killed = new Promise((resolve) => (this.#kill = resolve));
  }

  /** Nothing more may start. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** The mistake of ours that ended it; the first one. */
  get bug(): BugError | undefined {
    return this.#bug && asBug(this.#bug.thrown);
  }

  /** What runs may end; nothing more starts. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.parts.loop()?.stop();
    this.parts.chains().hold('the operation is ending');
  }

  /** What runs is not waited for. */
  kill(): void {
    this.parts.chains().abandon();
    this.#kill();
  }

  /** Something outside failed in a way that no step and no registration accounts for. It is told once. */
  fault(thrown: unknown): void {
    if (thrown instanceof BugError) {
      this.#bug ??= { thrown };
      return;
    }
    if (this.#faults.has(thrown)) return;
    this.#faults.add(thrown);
    const { report, chains, neighbours } = this.parts;
    if (!chains().abandoned) for (const each of diagnosticsOf(thrown)) report.diagnostic(each);
    report.failed = true;
    this.stop();
    neighbours.cancelProgram();
  }

  /** A mistake of ours: what runs is left as it is. */
  mistake(thrown: unknown): void {
    this.#bug ??= { thrown };
    this.parts.chains().abandon();
    this.parts.neighbours.cancelProgram();
    this.#kill();
  }
}

function diagnosticsOf(thrown: unknown): readonly Diagnostic[] {
  if (isCairnError(thrown)) return thrown.diagnostics;
  return [errorDiagnostic('CAIRN-INTERNAL', `internal error: ${messageOf(thrown)}`)];
}

function asBug(thrown: unknown): BugError {
  return thrown instanceof BugError ? thrown : new BugError(messageOf(thrown), { cause: thrown });
}
