import type { PropertyMap } from '@cairn/values';
import { STATUS_NAMES } from './status.js';
import type { StatusName } from './status.js';

const BRAND = Symbol.for('cairn.provider-error');

const LEAVES_DOUBT: ReadonlySet<StatusName> = new Set([
  'UNKNOWN',
  'INTERNAL',
  'DATA_LOSS',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
]);

/**
 * Error answer of a provider. `code` decides about the state of the object. UNKNOWN, INTERNAL and DATA_LOSS leave it in
 * doubt. So do CANCELLED and DEADLINE_EXCEEDED, which end a call before it ends on its own. Every other code means that
 * nothing happened.
 */
// [PROV-16]
export class ProviderError extends Error {
  override readonly name: string = 'ProviderError';
  readonly [BRAND]: 'error' | 'init-failed' | 'missing-config' | 'input-properties' | 'invalid-answer' =
    'error';

  constructor(
    readonly code: StatusName,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** True if the object may have been changed. */
  get inDoubt(): boolean {
    return LEAVES_DOUBT.has(this.code);
  }
}

/** Error: the object exists (or was changed) but did not become ready. */
export class InitFailedError extends ProviderError {
  override readonly name = 'InitFailedError';
  override readonly [BRAND] = 'init-failed';

  constructor(
    readonly id: string,
    readonly outputs: PropertyMap,
    readonly inputs: PropertyMap | undefined,
    readonly reasons: readonly string[],
    readonly refreshBeforeUpdate: boolean,
    message: string,
  ) {
    super('UNKNOWN', message);
  }
}

/** Error: configure received too few settings. */
export class MissingConfigError extends ProviderError {
  override readonly name = 'MissingConfigError';
  override readonly [BRAND] = 'missing-config';

  constructor(
    readonly missing: readonly { readonly name: string; readonly description: string }[],
    message: string,
  ) {
    super('INVALID_ARGUMENT', message);
  }
}

/** Error: construct or call refused individual inputs. */
export class InvalidInputsError extends ProviderError {
  override readonly name = 'InputPropertiesError';
  override readonly [BRAND] = 'input-properties';

  constructor(
    readonly errors: readonly { readonly path: string; readonly reason: string }[],
    message: string,
  ) {
    super('INVALID_ARGUMENT', message);
  }
}

/** Prefix of messages about invalid answers. A served provider's error can be recognised only by its message. */
export const INVALID_ANSWER = "the provider's answer is not valid: ";

/** Error: the answer cannot be read, or lacks a required part. The object may have been changed. */
export class InvalidAnswerError extends ProviderError {
  override readonly name = 'InvalidAnswerError';
  override readonly [BRAND] = 'invalid-answer';

  constructor(
    /** Fault as a sentence about the answer: `it has no inputs`. */
    readonly fault: string,
    options?: ErrorOptions,
  ) {
    super('INTERNAL', `${INVALID_ANSWER}${fault}`, options);
  }
}

/** Recognises a {@link ProviderError} of any copy of this package. */
export function isProviderError(value: unknown): value is ProviderError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** Recognises an {@link InitFailedError} of any copy of this package. */
export function isInitFailed(value: unknown): value is InitFailedError {
  return isProviderError(value) && value[BRAND] === 'init-failed';
}

/** Recognises a {@link MissingConfigError} of any copy of this package. */
export function isMissingConfig(value: unknown): value is MissingConfigError {
  return isProviderError(value) && value[BRAND] === 'missing-config';
}

/** Recognises an {@link InvalidInputsError} of any copy of this package. */
export function isInputProperties(value: unknown): value is InvalidInputsError {
  return isProviderError(value) && value[BRAND] === 'input-properties';
}

/** Recognises an {@link InvalidAnswerError} of any copy of this package. */
export function isInvalidAnswer(value: unknown): value is InvalidAnswerError {
  return isProviderError(value) && value[BRAND] === 'invalid-answer';
}

/**
 * Converts anything that a provider threw to a {@link ProviderError}. A foreign error keeps its gRPC status code;
 * without one it becomes UNKNOWN.
 */
export function asProviderError(thrown: unknown): ProviderError {
  if (isProviderError(thrown)) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = (thrown as { code?: unknown } | null | undefined)?.code;
  const name = typeof code === 'number' ? STATUS_NAMES[code] : undefined;
  return new ProviderError(name ?? 'UNKNOWN', message, { cause: thrown });
}
