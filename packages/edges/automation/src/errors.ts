import type { OperationDiagnostic } from './diagnostic.js';
import type { OperationResult } from './results.js';

/** A failure that is not a mistake of this package. `code` identifies it in the table of `docs/errors.md`. */
export class AutomationError extends Error {
  override readonly name: string = 'AutomationError';
  /** Stable code of the first problem. */
  readonly code: string;
  /** Suggested next step, or undefined if there is none. */
  readonly hint: string | undefined;
  /** All problems in order; the first one gives the error its code. */
  readonly diagnostics: readonly OperationDiagnostic[];

  constructor(diagnostics: readonly OperationDiagnostic[], options?: ErrorOptions) {
    const [first] = diagnostics;
    super(diagnostics.map(textOf).join('\n'), options);
    this.code = first?.code ?? 'CAIRN-INTERNAL';
    this.hint = first?.hint;
    this.diagnostics = diagnostics;
  }
}

/** No stack of that name exists (CAIRN-STACK-NOT-FOUND). */
export class StackNotFoundError extends AutomationError {
  override readonly name = 'StackNotFoundError';
}

/** A stack of that name already exists (CAIRN-STACK-EXISTS). */
export class StackExistsError extends AutomationError {
  override readonly name = 'StackExistsError';
}

/** Another process or user works on the stack (CAIRN-STATE-LOCKED, CAIRN-LEASE-LOST). */
export class StackLockedError extends AutomationError {
  override readonly name = 'StackLockedError';
}

/**
 * Another process or user holds or has changed something this operation needs (CAIRN-CHANGE-CONFLICT,
 * CAIRN-STORE-CONFLICT).
 */
export class ConflictError extends AutomationError {
  override readonly name = 'ConflictError';
}

/**
 * An operation did not do everything that was requested. The steps it took are in the state; `result` reports how far
 * it came.
 */
export class OperationError extends AutomationError {
  override readonly name = 'OperationError';

  constructor(
    diagnostics: readonly OperationDiagnostic[],
    /** Outcome of the operation, with the resources that failed and the steps in doubt. */
    readonly result: OperationResult,
  ) {
    super(diagnostics);
  }
}

function textOf({ summary, causes = [], hint }: OperationDiagnostic): string {
  return [summary, ...causes.map((cause) => `  ${cause}`), ...(hint === undefined ? [] : [`  ${hint}`])].join(
    '\n',
  );
}
