import type { Urn } from '@cairn/addresses';
import { CairnError, errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import { isInputProperties, isInvalidAnswer } from '@cairn/wire';
import { badAnswer } from '../providers/provider-answer.js';

/** An error that ends the operation: the engine shows it, the program only learns that it is over [INV-5]. */
export class FatalError extends Error {
  override readonly name = 'FatalError';

  constructor(override readonly cause: CairnError) {
    super(cause.message, { cause });
  }
}

/** A constructor or method of a provider that failed; refused inputs are listed one by one [PROV-16]. */
export function providerFailure(
  what: string,
  about: { readonly urn?: Urn | undefined; readonly type: string },
  error: unknown,
): FatalError {
  if (isCairnError(error)) return new FatalError(error);
  if (isInvalidAnswer(error)) {
    return new FatalError(
      badAnswer({ entry: about, call: what.split(' ', 1)[0] ?? what, preview: false }, error.fault),
    );
  }
  const reasons = isInputProperties(error)
    ? error.errors.map(({ path, reason }) => (path === '' ? reason : `${path}: ${reason}`))
    : [];
  const diagnostic = errorDiagnostic('CAIRN-RESOURCE-FAILED', `cannot ${what}`, {
    urn: about.urn,
    causes: [messageOf(error), ...reasons],
  });
  return new FatalError(new CairnError([diagnostic], { cause: error }));
}
