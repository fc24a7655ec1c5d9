import { isOutput, isPending, sourceOf } from './brand.js';
import type { Source } from './brand.js';
import { gather } from './gather.js';
import { makeOutput } from './output.js';
import type { Input, Output, OutputHandle, Unwrap } from './brand.js';
import { isPlainObject } from './resolution.js';

/**
 * Returns an output of a value whose parts may be promises and outputs, at any depth. Its value contains plain values
 * only.
 */
export function output<T>(value: T): Output<Unwrap<T>> {
  return makeOutput(gather(value));
}

/** Returns an output of the value, marked secret. */
export function secret<T>(value: T): Output<Unwrap<T>> {
  return makeOutput(marked(gather(value), true));
}

/** Returns an output of the value without the secret mark. */
export function unsecret<T>(value: Output<T>): Output<T> {
  return makeOutput(marked(sourceOf(value), false));
}

function marked(source: Source, secretMark: boolean): Source {
  if (isPending(source)) return source.then((resolution) => ({ ...resolution, secret: secretMark }));
  return { ...source, secret: secretMark };
}

/** Tells whether the value will be marked secret. */
export async function isSecret(value: Output<unknown>): Promise<boolean> {
  return (await sourceOf(value)).secret;
}

/** Combines several values into one output: a list for a list, an object for an object. */
export function all<T extends readonly unknown[] | []>(
  values: T,
): Output<{ -readonly [K in keyof T]: Unwrap<T[K]> }>;
export function all<T extends Readonly<Record<string, unknown>>>(
  values: T,
): Output<{ [K in keyof T]: Unwrap<T[K]> }>;
export function all(values: object): unknown {
  return makeOutput(gather(values));
}

/**
 * Merges one option over another, as in merged resource options. Lists are joined, and so is anything with `asList`;
 * otherwise `source` wins. Promises and outputs at the top are unwrapped, and the result is then an output.
 */
export function merge(dest: unknown, source: unknown, asList = false): unknown {
  if ([dest, source].some((side) => isOutput(side) || side instanceof Promise)) {
    return makeOutput(gather([dest, source])).apply((sides) => {
      const [one, other] = sides as readonly [unknown, unknown];
      return merge(one, other, asList);
    });
  }
  if (!asList && !Array.isArray(dest) && !Array.isArray(source)) return source;
  return [dest, source].flatMap((side: unknown) => side ?? []);
}

/** Returns a text with outputs in it: `` interpolate`http://${host}:${port}` ``. */
export function interpolate(
  literals: TemplateStringsArray,
  ...values: readonly Input<unknown>[]
): Output<string> {
  return joined(
    [...literals].flatMap((literal, index) => (index < values.length ? [literal, values[index]] : [literal])),
  );
}

/** Concatenates texts without a separator. */
export function concat(...values: readonly Input<unknown>[]): Output<string> {
  return joined(values);
}

function joined(parts: readonly unknown[]): Output<string> {
  return output(parts).apply((texts) => (texts as readonly unknown[]).map(asText).join('')) as Output<string>;
}

function asText(value: unknown): string {
  if (typeof value === 'object' && value !== null && (Array.isArray(value) || isPlainObject(value)))
    return JSON.stringify(value);
  return String(value);
}

/** Returns `JSON.stringify` of a value with outputs in it. */
export function jsonStringify(value: unknown, space?: string | number): Output<string> {
  return output(value).apply((known) => JSON.stringify(known, undefined, space)) as Output<string>;
}

/** Returns `JSON.parse` of an output. */
export function jsonParse<T = unknown>(text: Input<string>): Output<T> {
  return (output(text) as OutputHandle<string>).apply((known) => JSON.parse(known) as T) as Output<T>;
}
