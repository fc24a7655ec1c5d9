import { ProviderError, s } from '@cairn/provider-sdk';
import type { CheckFailure } from '@cairn/provider-sdk';

/** Maximum length of a name in bytes of UTF-8. The server truncates longer ones silently. */
const MOST_BYTES = 63;

/** Property of an object's name in a server. */
export const nameProperty = s.string({ minLength: 1, maxLength: MOST_BYTES });

/** Returns check failures for names that the server would truncate. */
export function namesTooLong(
  inputs: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): CheckFailure[] {
  return keys.flatMap((property) => {
    const value = inputs[property];
    if (typeof value !== 'string' || Buffer.byteLength(value) <= MOST_BYTES) return [];
    return [{ property, reason: `must not be longer than ${MOST_BYTES} bytes of UTF-8` }];
  });
}

/** Returns an id of several names: `shop/public`. In a name, `/` becomes `%2F` and `%` becomes `%25`. */
export function joinId(...names: readonly string[]): string {
  return names.map((name) => name.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/**
 * Returns the names of an id. `form` is the expected form, such as `DATABASE/SCHEMA`. Throws a `ProviderError` for
 * another form.
 */
export function splitId(id: string, form: string): readonly string[] {
  const names = id.split('/').map((name) => name.replaceAll('%2F', '/').replaceAll('%25', '%'));
  if (names.length !== form.split('/').length)
    throw new ProviderError('INVALID_ARGUMENT', `the id ${JSON.stringify(id)} is not of the form ${form}`);
  return names;
}

/** Returns the found names, in the order of `known` if both have the same names. */
export function inKnownOrder(
  found: readonly string[],
  known: readonly string[] | undefined,
): readonly string[] {
  const sorted = [...found].sort();
  if (known === undefined || known.length !== sorted.length) return sorted;
  const wanted = [...known].sort();
  return wanted.every((name, index) => name === sorted[index]) ? known : sorted;
}
