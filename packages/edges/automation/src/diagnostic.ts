/** A message for the user: the problem, its place, its cause and a remedy. Its texts contain no secret. */
export interface OperationDiagnostic {
  readonly severity: 'error' | 'warning' | 'info' | 'debug';
  /** Stable code of the kind of problem, e.g. `CAIRN-STATE-LOCKED`. `docs/errors.md` lists the codes. */
  readonly code: string;
  readonly summary: string;
  /** URN of the resource that it concerns. */
  readonly urn?: string | undefined;
  readonly source?:
    | { readonly file: string; readonly line?: number | undefined; readonly column?: number | undefined }
    | undefined;
  /** Causes, outermost first. */
  readonly causes?: readonly string[] | undefined;
  /** Suggested next step. */
  readonly hint?: string | undefined;
}
