import type { Urn } from '@cairn/addresses';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import type { EngineEvent } from './events.js';
import type { Goal } from './goal.js';
import type { StepKind } from './step-kinds.js';
import { isCounted } from './step-view.js';
import type { RefreshResult, StepView } from './step-view.js';

/** Output of an operation. Events are emitted as they occur, diagnostics and counts are kept for the result. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly changes: Partial<Record<StepKind, number>> = {};
  /** Number of refreshes by their finding. */
  readonly found: Partial<Record<RefreshResult, number>> = {};
  /** True if an error was reported. */
  failed = false;
  /** Version by name of the policy packs that analyze the operation. */
  policyPacks: Readonly<Record<string, string>> | undefined;

  readonly #refused: string[] = [];
  readonly #settled = new Set<Urn>();
  /** Declarations of resources in the program, as stored, by URN. */
  readonly #declared = new Map<Urn, string>();

  constructor(readonly emit: (event: EngineEvent) => void) {}

  /** True if a request of the program was refused that it could have avoided. The program has received the reason. */
  get hasRefused(): boolean {
    return this.#refused.length > 0;
  }

  /** True if an error was reported, by the engine or by the program. */
  get hasToldErrors(): boolean {
    return this.failed || this.diagnostics.some(({ severity }) => severity === 'error');
  }

  /**
   * Reports a refused request of the program, which receives the reason. The operation fails. If the program repeats
   * the message, it is not reported again.
   */
  refusal(diagnostic: Diagnostic): void {
    this.#refused.push(diagnostic.summary);
    this.diagnostic(diagnostic);
  }

  /** Records where the program declares a resource. Diagnostics about it name that place. */
  declared({ urn, sourcePosition }: Pick<Goal, 'urn' | 'sourcePosition'>): void {
    if (sourcePosition !== undefined) this.#declared.set(urn, sourcePosition);
  }

  diagnostic(told: Diagnostic): void {
    const diagnostic = this.#located(told);
    this.diagnostics.push(diagnostic);
    if (diagnostic.severity === 'error') this.failed = true;
    this.emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
  }

  /**
   * Passes an event from outside the core. A program's error message does not fail the operation. Ephemeral and debug
   * messages are not kept.
   */
  pass(event: EngineEvent): void {
    if (event.t === 'diagnostic' && this.#isRepeated(event.diagnostic)) return;
    if (event.t === 'diagnostic' && !event.ephemeral && event.diagnostic.severity !== 'debug') {
      this.diagnostics.push(event.diagnostic);
    }
    this.emit(event);
  }

  #located(diagnostic: Diagnostic): Diagnostic {
    const { urn, source } = diagnostic;
    const position = urn === undefined || source !== undefined ? undefined : this.#declared.get(urn);
    const place = position === undefined ? undefined : sourceRange(position);
    return place === undefined ? diagnostic : { ...diagnostic, source: place };
  }

  #isRepeated({ severity, summary, causes = [] }: Diagnostic): boolean {
    const texts = [summary, ...causes];
    return severity === 'error' && this.#refused.some((said) => texts.some((text) => text.includes(said)));
  }

  /** Counts a step that has ended, if it counts ({@link isCounted}). `found` is the finding of a refresh. */
  count(step: StepView, found?: RefreshResult): void {
    if (!isCounted(step) || this.#isSettledSame(step.kind, step.urn)) return;
    const { kind } = step;
    this.changes[kind] = (this.changes[kind] ?? 0) + 1;
    if (found !== undefined) this.found[found] = (this.found[found] ?? 0) + 1;
  }

  /**
   * Counts a step of an earlier operation that turned out to be done. A later `same` step of its resource then does not
   * count.
   */
  countSettled(step: StepView): void {
    this.count(step);
    this.#settled.add(step.urn);
  }

  #isSettledSame(kind: StepKind, urn: Urn): boolean {
    return kind === 'same' && this.#settled.has(urn);
  }

  /** Counts a step instead of one of another kind that was counted for its resource. */
  recount(before: StepKind, step: StepView): void {
    const counted = this.#isSettledSame(before, step.urn) ? 0 : 1;
    const rest = (this.changes[before] ?? 0) - counted;
    if (rest > 0) this.changes[before] = rest;
    else delete this.changes[before];
    this.count(step);
  }
}

/** Parses `project:///<path>#<line>,<column>`. Undefined for a text of another form. */
export function sourceRange(position: string): SourceRange | undefined {
  const [, file, line, column] = /^project:\/\/\/([^#]+)#(\d+)(?:,(\d+))?$/.exec(position) ?? [];
  if (file === undefined) return undefined;
  return { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}
