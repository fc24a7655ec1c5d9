import type { Diagnostic } from './diagnostic.js';
import type { OperationResult } from './results.js';

/** Something went wrong that is not a mistake of this package: `code` says what, by the table of `docs/errors.md`. */
export class AutomationError extends Error {
  override readonly name: string = 'AutomationError';
  /** Stable code of the first problem. */
  readonly code: string;
  /** What to do next; undefined where nothing can be said. */
  readonly hint: string | undefined;
  /** Every problem, the first one first. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options?: ErrorOptions) {
    const [first] = diagnostics;
    super(diagnostics.map(textOf).join('\n'), options);
    this.code = first?.code ?? 'CAIRN-INTERNAL';
    this.hint = first?.hint;
    this.diagnostics = diagnostics;
  }
}

/** There is no stack of that name (CAIRN-STACK-NOT-FOUND). */
export class StackNotFoundError extends AutomationError {
  override readonly name = 'StackNotFoundError';
}

/** There is a stack of that name already (CAIRN-STACK-EXISTS). */
export class StackExistsError extends AutomationError {
  override readonly name = 'StackExistsError';
}

/** Somebody else works on the stack (CAIRN-STATE-LOCKED, CAIRN-LEASE-LOST). */
export class StackLockedError extends AutomationError {
  override readonly name = 'StackLockedError';
}

/** Somebody else holds or has changed what this operation needs (CAIRN-CHANGE-CONFLICT, CAIRN-STORE-CONFLICT). */
export class ConflictError extends AutomationError {
  override readonly name = 'ConflictError';
}

/** An operation did not do all that was asked for. What it did is in the state; `result` says how far it came. */
export class OperationError extends AutomationError {
  override readonly name = 'OperationError';

  constructor(
    diagnostics: readonly Diagnostic[],
    /** How the operation ended, with the resources that failed and the steps in doubt. */
    readonly result: OperationResult,
  ) {
    super(diagnostics);
  }
}

function textOf({ summary, causes = [], hint }: Diagnostic): string {
  return [summary, ...causes.map((cause) => `  ${cause}`), ...(hint === undefined ? [] : [`  ${hint}`])].join(
    '\n',
  );
}
