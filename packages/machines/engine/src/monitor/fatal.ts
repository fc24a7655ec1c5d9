import type { Urn } from '@cairn/addresses';
import { CairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import type { PropertyMap } from '@cairn/values';
import { isInputProperties, isInvalidAnswer } from '@cairn/wire';
import { shownProperty, shownValue } from '../decide/shown-value.js';
import { badAnswer } from '../providers/provider-answer.js';

/**
 * An error that ends the operation. The engine shows it; the program only learns that the operation is over [INV-5].
 */
export class FatalError extends Error {
  override readonly name = 'FatalError';

  constructor(override readonly cause: CairnError) {
    super(cause.message, { cause });
  }
}

/** A question to a provider whose failure ends the operation. */
interface AskedProvider {
  readonly call: 'construct' | 'call';
  /** Text that precedes the provider's own message. */
  readonly failed: string;
  readonly inputs: PropertyMap;
}

/** Makes the error for a failed constructor or method of a provider. Refused inputs are listed one by one [PROV-16]. */
export function providerFailure(
  { call, failed, inputs }: AskedProvider,
  about: { readonly urn?: Urn | undefined; readonly type: string },
  error: unknown,
): FatalError {
  if (isCairnError(error)) return new FatalError(error);
  if (isInvalidAnswer(error))
    return new FatalError(badAnswer({ entry: about, call, preview: false }, error.fault));
  const reasons = isInputProperties(error) ? error.errors.map((one) => refusal(inputs, one)) : [];
  const diagnostic = errorDiagnostic('CAIRN-RESOURCE-FAILED', `${failed} ${messageOf(error)}`.trimEnd(), {
    urn: about.urn,
    causes: reasons,
  });
  return new FatalError(new CairnError([diagnostic], { cause: error }));
}

function refusal(
  inputs: PropertyMap,
  { path, reason }: { readonly path: string; readonly reason: string },
): string {
  if (path === '') return reason;
  const value = shownProperty(inputs, path);
  const shown = value === shownValue(undefined) ? '' : ` with value '${value}'`;
  return `property ${path}${shown} has a problem: ${reason}`;
}
