import { asProviderReference, asUrn, isUrn } from '@cairn/addresses';
import type { ProviderReference, Urn } from '@cairn/addresses';
import { messageOf } from '@cairn/diagnostics';
import type { CairnError } from '@cairn/diagnostics';
import { StatusError } from '@cairn/wire';

/** Makes the error for an invalid request of the program. The program receives it and may continue. */
export function invalid(message: string, cause?: unknown): StatusError {
  return new StatusError('INVALID_ARGUMENT', message, cause === undefined ? undefined : { cause });
}

/**
 * Signals that a request of the program cannot be fulfilled. The engine shows the cause; the program receives it and
 * may continue.
 */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor(override readonly cause: CairnError) {
    super(cause.diagnostics.map(({ summary }) => summary).join('\n'), { cause });
  }
}

/** Makes the error for an engine that no longer answers: the program ends quietly [PRG-9]. */
export function unavailable(): StatusError {
  return new StatusError('UNAVAILABLE', 'the resource monitor has shut down');
}

/** Parses the URN of an option. The error names the option and quotes the text (LT1-047). */
export function urnOf(text: string, option: string): Urn {
  return isUrn(text) ? text : parse(() => asUrn(text), text, option, 'URN');
}

/** Like {@link urnOf}, with `undefined` for an option that is not set. */
export function optionalUrn(text: string, option: string): Urn | undefined {
  return text === '' ? undefined : urnOf(text, option);
}

/** Parses the provider reference of an option. */
export function referenceOf(text: string, option: string): ProviderReference {
  return parse(() => asProviderReference(text), text, option, 'provider reference');
}

function parse<T>(read: () => T, text: string, option: string, what: string): T {
  try {
    return read();
  } catch (error) {
    throw invalid(`could not parse ${what} of ${option} ${JSON.stringify(text)}: ${messageOf(error)}`, error);
  }
}
