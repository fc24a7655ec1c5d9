import type { Diagnostic, ErrorCode } from '@cairn/diagnostics';
import { CairnError, errorDiagnostic } from '@cairn/diagnostics';

/** A place in a file. Lines and columns count from 1. */
export interface YamlPosition {
  readonly line: number;
  readonly column: number;
}

/** Collects and throws the problems of one file. `kind` names the file in the summary, e.g. `project file`. */
export class FileProblems {
  readonly #found: Diagnostic[] = [];

  constructor(
    readonly file: string,
    readonly kind: string,
    readonly code: ErrorCode,
  ) {}

  /** Throws one problem together with those collected before. */
  fail(at: YamlPosition, problem: string, hint?: string): never {
    this.add(at, problem, hint);
    return this.#throwFound();
  }

  /** Records a problem and continues, so that one run shows them all. */
  add(at: YamlPosition, problem: string, hint?: string): void {
    this.#note(at, `invalid ${this.kind}: ${problem}`, hint);
  }

  /** Records that the file is not YAML, whatever its kind. */
  addSyntax(at: YamlPosition, problem: string, hint?: string): void {
    this.#note(at, `invalid YAML file: ${problem}`, hint);
  }

  #note(at: YamlPosition, summary: string, hint: string | undefined): void {
    const source = { file: this.file, line: at.line, column: at.column };
    this.#found.push(errorDiagnostic(this.code, summary, hint === undefined ? { source } : { source, hint }));
  }

  /** Throws the collected problems, if there are any. */
  check(): void {
    if (this.#found.length > 0) this.#throwFound();
  }

  #throwFound(): never {
    throw new CairnError([...this.#found]);
  }
}
