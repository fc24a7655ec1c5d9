import type { TfType } from '../values/index.js';
import { typeWithin } from '../values/index.js';

/**
 * Removes attributes that the schema does not have from stored attributes, parsed from JSON [TFC-33]. Only for state of
 * the schema's version. The content of a dynamic place remains, and so do parts that do not have the form of their
 * type.
 */
export function withoutUnknownAttributes(type: TfType, json: unknown): unknown {
  if (typeof type === 'string' || typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) {
    if (type.kind === 'object' || type.kind === 'map') return json;
    return (json as unknown[]).map((each, at) => withoutUnknownAttributes(typeWithin(type, at), each));
  }
  if (type.kind !== 'object' && type.kind !== 'map') return json;
  // A parser that keeps the digits of numbers represents them as objects too, of a class of their own.
  if (Object.getPrototypeOf(json) !== Object.prototype && Object.getPrototypeOf(json) !== null) return json;
  const known = type.kind === 'object' ? type.attributes : undefined;
  const entries = Object.entries(json as Record<string, unknown>).filter(
    ([name]) => known === undefined || known[name] !== undefined,
  );
  return Object.fromEntries(
    entries.map(([name, each]) => [name, withoutUnknownAttributes(typeWithin(type, name), each)] as const),
  );
}
