import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';

/** Secret as the console gets it: neither its value nor its ciphertext. */
export const SHOWN_SECRET = { [SIGNATURE_KEY]: SIGNATURES.secret } as const;

/** Returns a value of a state without the contents of its secrets. Everything else stays, other marks too. */
export function blindedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(blindedValue);
  if (typeof value !== 'object' || value === null) return value;
  if (isSealedValue(value)) return SHOWN_SECRET;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, blindedValue(each)]));
}

/** Returns true for a secret of a state. */
export function isSealedValue(
  value: object,
): value is { readonly ciphertext?: unknown; readonly plaintext?: unknown } {
  return (
    Object.hasOwn(value, SIGNATURE_KEY) &&
    (value as Readonly<Record<string, unknown>>)[SIGNATURE_KEY] === SIGNATURES.secret
  );
}

/** Returns the value at a path of a state, or undefined. A path leads into no secret. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || isSealedValue(at) || !Object.hasOwn(at, key))
      return undefined;
    at = (at as Readonly<Record<string | number, unknown>>)[key];
  }
  return at;
}
