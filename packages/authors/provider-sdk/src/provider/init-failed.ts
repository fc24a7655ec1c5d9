import type { PlainValues } from '@cairn/values';

const BRAND = Symbol.for('cairn.provider-sdk.init-failed');

/**
 * Thrown by create and update: the object exists (or was changed), but is incomplete. It is recorded with its id and
 * outputs, and the next operation tries to repair it.
 */
export class InitFailed extends Error {
  override readonly name = 'InitFailed';
  readonly [BRAND] = true as const;

  constructor(
    readonly id: string,
    readonly outputs: PlainValues,
    readonly reasons: readonly string[],
  ) {
    super(reasons.join('; '));
  }
}

/** Tells whether a caught value is an {@link InitFailed} of any copy of this package. */
export function isHandlerInitFailed(value: unknown): value is InitFailed {
  return typeof value === 'object' && value !== null && BRAND in value;
}
