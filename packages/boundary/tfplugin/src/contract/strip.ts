import type { TfType } from '../values/index.js';
import { typeWithin } from '../values/index.js';

/**
 * Stored attributes, parsed from JSON, without those that the schema does not have [TFC-33]. Only for state of the
 * version of the schema. What is in a place of any type stays, and so does what is not of the form that the type says.
 */
export function withoutUnknownAttributes(type: TfType, json: unknown): unknown {
  if (typeof type === 'string' || typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) {
    if (type.kind === 'object' || type.kind === 'map') return json;
    return (json as unknown[]).map((each, at) => withoutUnknownAttributes(typeWithin(type, at), each));
  }
  if (type.kind !== 'object' && type.kind !== 'map') return json;
  // Numbers of a parser that keeps their digits are objects too, of a class of their own.
  if (Object.getPrototypeOf(json) !== Object.prototype && Object.getPrototypeOf(json) !== null) return json;
  const known = type.kind === 'object' ? type.attributes : undefined;
  const entries = Object.entries(json as Record<string, unknown>).filter(
    ([name]) => known === undefined || known[name] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, each]) => [name, withoutUnknownAttributes(typeWithin(type, name), each)] as const),
  );
}
