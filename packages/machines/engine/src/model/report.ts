import type { Urn } from '@cairn/addresses';
import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import type { EngineEvent } from './events.js';
import type { Goal } from './goal.js';
import type { StepKind } from './step-kinds.js';
import { isCounted } from './step-view.js';
import type { RefreshResult, StepView } from './step-view.js';

/**
 * What an operation has to say for itself: events go out as they come, diagnostics and counts are kept for the result.
 */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly changes: Partial<Record<StepKind, number>> = {};
  /** What refreshes found, in numbers. */
  readonly found: Partial<Record<RefreshResult, number>> = {};
  /** An error was reported. */
  failed = false;
  /** Version by name of the policy packs that look at the operation. */
  policyPacks: Readonly<Record<string, string>> | undefined;

  readonly #refused: string[] = [];
  readonly #settled = new Set<Urn>();
  /** Where the program declares resources, as it is stored, by URN. */
  readonly #declared = new Map<Urn, string>();

  constructor(readonly emit: (event: EngineEvent) => void) {}

  /** The program was refused something that it could have known, and was told so. */
  get hasRefused(): boolean {
    return this.#refused.length > 0;
  }

  /** An error was told, by us or by the program. */
  get hasToldErrors(): boolean {
    return this.failed || this.diagnostics.some(({ severity }) => severity === 'error');
  }

  /**
   * A request of the program was refused, and it is told why. The operation fails; what the program repeats of it is
   * not told again.
   */
  refusal(diagnostic: Diagnostic): void {
    this.#refused.push(diagnostic.summary);
    this.diagnostic(diagnostic);
  }

  /** Notes where the program declares a resource: what is told about it names that place. */
  declared({ urn, sourcePosition }: Pick<Goal, 'urn' | 'sourcePosition'>): void {
    if (sourcePosition !== undefined) this.#declared.set(urn, sourcePosition);
  }

  diagnostic(told: Diagnostic): void {
    const diagnostic = this.#located(told);
    this.diagnostics.push(diagnostic);
    if (diagnostic.severity === 'error') this.failed = true;
    this.emit({ t: 'diagnostic', diagnostic, streamId: 0, ephemeral: false });
  }

  /** An event from outside the core. A program's error message does not fail the operation; its chatter is not kept. */
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

  /** Counts a step that has ended, where it counts ({@link isCounted}). `found`: what a refresh has found. */
  count(step: StepView, found?: RefreshResult): void {
    if (!isCounted(step) || this.#isSettledSame(step.kind, step.urn)) return;
    const { kind } = step;
    this.changes[kind] = (this.changes[kind] ?? 0) + 1;
    if (found !== undefined) this.found[found] = (this.found[found] ?? 0) + 1;
  }

  /**
   * Counts a step of an earlier operation that was found to be done. That its resource stays as it is then is no other
   * step, and does not count.
   */
  countSettled(step: StepView): void {
    this.count(step);
    this.#settled.add(step.urn);
  }

  #isSettledSame(kind: StepKind, urn: Urn): boolean {
    return kind === 'same' && this.#settled.has(urn);
  }

  /** Counts a step in place of one of another kind that its resource was counted with. */
  recount(before: StepKind, step: StepView): void {
    const counted = this.#isSettledSame(before, step.urn) ? 0 : 1;
    const rest = (this.changes[before] ?? 0) - counted;
    if (rest > 0) this.changes[before] = rest;
    else delete this.changes[before];
    this.count(step);
  }
}

/** The place that `project:///<path>#<line>,<column>` names; undefined for a text of another form. */
export function sourceRange(position: string): SourceRange | undefined {
  const [, file, line, column] = /^project:\/\/\/([^#]+)#(\d+)(?:,(\d+))?$/.exec(position) ?? [];
  if (file === undefined) return undefined;
  return { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}
