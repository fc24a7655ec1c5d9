/** Something that is to be known: what, where, why and what to do. Texts hold no secret. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning' | 'info' | 'debug';
  /** Stable code of the kind of problem, e.g. `CAIRN-STATE-LOCKED`: `docs/errors.md` lists them. */
  readonly code: string;
  readonly summary: string;
  /** URN of the resource that it is about. */
  readonly urn?: string | undefined;
  readonly source?:
    | { readonly file: string; readonly line?: number | undefined; readonly column?: number | undefined }
    | undefined;
  /** Why, outermost first. */
  readonly causes?: readonly string[] | undefined;
  /** What to do next. */
  readonly hint?: string | undefined;
}
