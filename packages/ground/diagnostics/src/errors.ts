const BRAND = Symbol.for('cairn.error');

import type { Diagnostic, DiagnosticDetails } from './diagnostic.js';
import { errorDiagnostic } from './diagnostic.js';
import type { ErrorCode } from './codes.js';

/**
 * An error caused by the user, the program, the provider or the machine, never by a bug in Cairn. It carries one or
 * more diagnostics and is shown without a stack trace. Test with {@link isCairnError}, which also recognises errors
 * thrown by another installed copy of this package.
 */
export class CairnError extends Error {
  override readonly name: string = 'CairnError';
  readonly [BRAND] = true as const;

  constructor(
    readonly diagnostics: readonly Diagnostic[],
    options?: ErrorOptions,
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.summary).join('\n'), options);
  }
}

/** A bug in Cairn: a state that the code says cannot happen. Shown as an internal error with its stack trace. */
export class BugError extends Error {
  override readonly name = 'BugError';
}

/** Throws one error diagnostic. */
export function fail(
  code: ErrorCode,
  summary: string,
  details: DiagnosticDetails = {},
  cause?: unknown,
): never {
  throw cairnError(code, summary, details, cause);
}

/** Makes the error that {@link fail} throws, for promises and streams. */
export function cairnError(
  code: ErrorCode,
  summary: string,
  details: DiagnosticDetails = {},
  cause?: unknown,
): CairnError {
  return new CairnError(
    [errorDiagnostic(code, summary, details)],
    cause === undefined ? undefined : { cause },
  );
}

/** Tells whether a caught value is a {@link CairnError} of any copy of this package. */
export function isCairnError(value: unknown): value is CairnError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Returns the text of any thrown value, without a stack trace. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}

/** Ends an exhaustive switch: does not compile while a case is missing, and throws {@link BugError} if reached. */
export function unreachable(value: never): never {
  throw new BugError(`unexpected case: ${JSON.stringify(value)}`);
}
