import type { Urn } from '@cairn/addresses';
import { PROVIDER_CALLS, callSubject } from '@cairn/wire';
import type { ProviderInterceptor } from '@cairn/wire';

/** Wraps one call. `name` is for messages. */
export type Around = <T>(name: string, urn: Urn | undefined, call: () => Promise<T>) => Promise<T>;

/** Makes every call unchanged. */
export const directly: Around = (_name, _urn, call) => call();

/** Makes every call of a provider through `around`. */
export function through(around: Around): ProviderInterceptor {
  return (call, request, next) => {
    const subject = callSubject(call, request);
    if (PROVIDER_CALLS[call].about === 'urn') return around(call, subject as Urn, () => next(request));
    return around(subject === undefined ? call : `${call} of ${subject}`, undefined, () => next(request));
  };
}
