import { formatPath } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';

const BRAND = Symbol.for('cairn.wire-value-error');

/** Error: a value cannot be sent, or bytes are not a value. `path` is the property at fault, if it is known. */
export class WireValueError extends Error {
  override readonly name = 'WireValueError';
  readonly [BRAND] = true as const;

  constructor(
    readonly reason: string,
    readonly path?: PropertyPath,
    options?: ErrorOptions,
  ) {
    super(
      path === undefined || path.length === 0 ? reason : `property ${readable(path)}: ${reason}`,
      options,
    );
  }
}

/** Recognises a {@link WireValueError} of any copy of this package. */
export function isWireValueError(value: unknown): value is WireValueError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Returns the error for nesting beyond the limit, or beyond the capacity of the machine's stack. */
export function tooDeep(cause?: unknown): WireValueError {
  return new WireValueError('the value is nested too deeply', undefined, { cause });
}

/** Runs a recursive walk. Exhaustion of the machine's stack becomes {@link tooDeep}. */
export function guardStack<T>(walk: () => T): T {
  try {
    return walk();
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) throw tooDeep(error);
    throw error;
  }
}

function readable(path: PropertyPath): string {
  return formatPath(path).replace(/\["([A-Za-z_$][\w$]*)"\]/g, (_match, key: string, at: number) =>
    at === 0 ? key : `.${key}`,
  );
}
