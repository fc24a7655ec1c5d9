import { isCairnError } from '@cairn/diagnostics';
import type { ErrorCode } from '@cairn/diagnostics';
import {
  AutomationError,
  ConflictError,
  StackExistsError,
  StackLockedError,
  StackNotFoundError,
} from '../errors.js';
import type { OperationDiagnostic } from '../diagnostic.js';

type ErrorClass = new (
  diagnostics: readonly OperationDiagnostic[],
  options?: ErrorOptions,
) => AutomationError;

const CLASSES: Readonly<Partial<Record<ErrorCode, ErrorClass>>> = {
  'CAIRN-STACK-NOT-FOUND': StackNotFoundError,
  'CAIRN-STACK-EXISTS': StackExistsError,
  'CAIRN-STATE-LOCKED': StackLockedError,
  'CAIRN-LEASE-LOST': StackLockedError,
  'CAIRN-CHANGE-CONFLICT': ConflictError,
  'CAIRN-STORE-CONFLICT': ConflictError,
};

/** Converts an internal error to an error of this package. Anything else is a mistake and is returned unchanged. */
export function publicError(thrown: unknown): unknown {
  if (!isCairnError(thrown)) return thrown;
  const { diagnostics } = thrown;
  const made = CLASSES[diagnostics[0]?.code as ErrorCode] ?? AutomationError;
  return new made(diagnostics, { cause: thrown });
}
