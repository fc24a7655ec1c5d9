import { CairnError, isCairnError } from '@cairn/diagnostics';
import { maskDiagnostic } from './mask-secrets.js';
import type { Mask } from '../ports.js';

/**
 * Masks secrets in the message, stack trace and causes of an operation's error. The kind of error remains: an error of
 * the user's keeps its diagnostics' codes, any other is the same object.
 */
export function maskedError(thrown: unknown, mask: Mask): unknown {
  return masked(thrown, mask, new Set());
}

function masked(thrown: unknown, mask: Mask, seen: Set<unknown>): unknown {
  if (typeof thrown === 'string') return mask(thrown);
  if (!(thrown instanceof Error) || seen.has(thrown)) return thrown;
  seen.add(thrown);
  if (isCairnError(thrown)) {
    const diagnostics = thrown.diagnostics.map((each) => maskDiagnostic(each, mask));
    const error = new CairnError(diagnostics, { cause: masked(thrown.cause, mask, seen) });
    if (thrown.stack !== undefined) error.stack = mask(thrown.stack);
    return error;
  }
  const { message, stack, cause } = thrown;
  const texts = {
    message: mask(message),
    ...(stack !== undefined && { stack: mask(stack) }),
    ...(cause !== undefined && { cause: masked(cause, mask, seen) }),
  };
  try {
    return Object.assign(thrown, texts);
  } catch {
    // A frozen error.
    return Object.assign(new Error(texts.message), texts);
  }
}
