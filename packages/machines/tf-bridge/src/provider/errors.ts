import { errorDiagnostic, isCairnError, messageOf } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { formatPath } from '@cairn/values';
import { InvalidInputsError, isProviderError, ProviderError } from '@cairn/wire';
import type { CheckFailure, StatusName } from '@cairn/wire';
import type { TfDiagnostic } from '../client/index.js';
import { EdgeError, propertyPath } from '../values/index.js';
import type { EdgeFailure } from '../values/index.js';
import { diagnosticText, FunctionFailure, TerraformFailure } from '../lifecycle/index.js';
import type { ObjectShape } from '../model/index.js';

/** The brand that `isCairnError` looks for. It cannot be inherited together with ProviderError. */
const CAIRN_ERROR = Symbol.for('cairn.error');

/** A provider broke its contract. Both a ProviderError and a CairnError: every violation is a diagnostic. */
class ViolationError extends ProviderError {
  override readonly name = 'ViolationError';
  readonly [CAIRN_ERROR] = true;

  constructor(
    code: StatusName,
    readonly diagnostics: readonly Diagnostic[],
    options?: ErrorOptions,
  ) {
    super(code, diagnostics.map(({ summary }) => summary).join('\n'), options);
  }
}

/** Returns a provider's diagnostic, with its place by the name that programs use. */
export function shownText(shape: ObjectShape | undefined, diagnostic: TfDiagnostic): string {
  const { path, ...rest } = diagnostic;
  if (path === undefined || shape === undefined) return diagnosticText(diagnostic);
  const place = formatPath(propertyPath(shape, path));
  return place === '' ? diagnosticText(diagnostic) : `${place}: ${diagnosticText(rest)}`;
}

/** Returns errors of a validation as failures of inputs. */
export function failuresOf(
  shape: ObjectShape,
  diagnostics: readonly TfDiagnostic[],
): readonly CheckFailure[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ path = [], summary, detail }) => ({
      property: formatPath(propertyPath(shape, path)),
      reason: diagnosticText({ severity: 'error', summary, detail }),
    }));
}

/** Returns faults of properties as failures of inputs. */
export function edgeFailures(failures: readonly EdgeFailure[]): readonly CheckFailure[] {
  return failures.map(({ path, reason }) => ({ property: formatPath(path), reason }));
}

/**
 * Returns the error for a refusal of the provider, or for violations of its contract. `code` is its meaning for the
 * object.
 */
export function failureError(
  failure: TerraformFailure,
  shape: ObjectShape | undefined,
  code: StatusName,
): ProviderError {
  const said = failure.diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((each) => shownText(shape, each));
  const violations = failure.violations();
  if (violations.length === 0) return new ProviderError(code, said.join('\n'), { cause: failure });
  const [first, ...rest] = violations as [Diagnostic, ...Diagnostic[]];
  const causes = [...said, ...rest.map(({ summary }) => summary)];
  return new ViolationError(
    code,
    [errorDiagnostic(first.code, first.summary, causes.length === 0 ? {} : { causes })],
    { cause: failure },
  );
}

/** Codes that would leave an object in doubt. */
const DOUBT: ReadonlySet<StatusName> = new Set([
  'UNKNOWN',
  'INTERNAL',
  'DATA_LOSS',
  'CANCELLED',
  'DEADLINE_EXCEEDED',
]);

/** Does work that changes nothing, so that a failure leaves nothing in doubt. */
export async function asking<T>(work: () => Promise<T>, shape?: ObjectShape): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asked(error, shape);
  }
}

function asked(error: unknown, shape: ObjectShape | undefined): Error {
  if (error instanceof TerraformFailure) return failureError(error, shape, 'FAILED_PRECONDITION');
  if (error instanceof EdgeError) {
    const errors = error.failures.map(({ path, reason }) => ({ path: formatPath(path), reason }));
    return new InvalidInputsError(errors, error.message);
  }
  if (error instanceof FunctionFailure || error instanceof RangeError) {
    return new ProviderError('INVALID_ARGUMENT', error.message, { cause: error });
  }
  if (!isProviderError(error) || !DOUBT.has(error.code)) return error as Error;
  const causes = isCairnError(error) ? (error.diagnostics[0]?.causes ?? []) : [];
  return new ProviderError('UNAVAILABLE', [error.message, ...causes].join('\n'), { cause: error });
}

/** Does work that may change an object. A failed call leaves it in doubt [TFB-7]. */
export async function changing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isProviderError(error)) throw new ProviderError('INTERNAL', messageOf(error), { cause: error });
    if (isCairnError(error) || error.code !== 'UNKNOWN') throw error;
    // No provider has answered: an error of the call is not one of the provider.
    throw new ProviderError('INTERNAL', error.message, { cause: error });
  }
}
