import { ProviderError, s } from '@cairn/provider-sdk';
import type { CheckFailure } from '@cairn/provider-sdk';

/** A longer one is cut by the server without a word, in bytes of UTF-8. */
const MOST_BYTES = 63;

/** The property of a name of something in a server. */
export const nameProperty = s.string({ minLength: 1, maxLength: MOST_BYTES });

/** Failures of a check for names that the server would cut. */
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

/** An id of several names: `shop/public`. A name has `%2F` for `/` and `%25` for `%`. */
export function joinId(...names: readonly string[]): string {
  return names.map((name) => name.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** Names of an id. `form` says what is expected, as in `DATABASE/SCHEMA`. Throws a `ProviderError` for another form. */
export function splitId(id: string, form: string): readonly string[] {
  const names = id.split('/').map((name) => name.replaceAll('%2F', '/').replaceAll('%25', '%'));
  if (names.length !== form.split('/').length)
    throw new ProviderError('INVALID_ARGUMENT', `the id ${JSON.stringify(id)} is not of the form ${form}`);
  return names;
}

/** The same names, in the order of `known` when that has the same ones. */
export function inKnownOrder(
  found: readonly string[],
  known: readonly string[] | undefined,
): readonly string[] {
  const sorted = [...found].sort();
  if (known === undefined || known.length !== sorted.length) return sorted;
  const wanted = [...known].sort();
  return wanted.every((name, index) => name === sorted[index]) ? known : sorted;
}
