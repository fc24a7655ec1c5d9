import type { Urn } from '@cairn/addresses';

/**
 * Severity of a diagnostic. `error` fails the operation, `warning` is shown, `info` and `debug` are for following a
 * run.
 */
type Severity = 'error' | 'warning' | 'info' | 'debug';

/** A place in a user's file. Lines and columns count from 1. */
export interface SourceRange {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/**
 * One thing the user should know, as data. Displays print the four parts in this order: what (`code`, `summary`), where
 * (`urn`, `source`), why (`causes`, outermost first), what to do next (`hint`). Texts hold no terminal colours, no
 * secrets and no stack traces. Shape: [CLI-2].
 */
export interface Diagnostic {
  readonly severity: Severity;
  /** Stable code of the kind of problem, e.g. `CAIRN-STATE-LOCKED`. See {@link codes}. */
  readonly code: string;
  readonly summary: string;
  /**
   * Summary in a form that is the same for every resource, e.g. `cannot delete: it is protected`. Displays group
   * failures by it. Optional.
   */
  readonly common?: string | undefined;
  readonly urn?: Urn | undefined;
  readonly source?: SourceRange | undefined;
  readonly causes?: readonly string[] | undefined;
  readonly hint?: string | undefined;
}

/** Parts that a diagnostic may have besides its code and summary. */
export interface DiagnosticDetails {
  readonly common?: string | undefined;
  readonly urn?: Urn | undefined;
  readonly source?: SourceRange | undefined;
  readonly causes?: readonly string[] | undefined;
  readonly hint?: string | undefined;
}

/** An error-severity diagnostic. */
export function errorDiagnostic(code: string, summary: string, details: DiagnosticDetails = {}): Diagnostic {
  return { severity: 'error', code, summary, ...details };
}

/** A warning-severity diagnostic. */
export function warningDiagnostic(
  code: string,
  summary: string,
  details: DiagnosticDetails = {},
): Diagnostic {
  return { severity: 'warning', code, summary, ...details };
}
