import { ByteString, newMap } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/**
 * Converts a plain value to a property. `undefined` is omitted, and becomes null in lists. Throws TypeError with the
 * path for a value that cannot be a property.
 */
export function fromPlain(value: unknown, path: string): PropertyValue | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value !== 'object')
    throw new TypeError(`${path} is a ${typeof value}, which cannot be a property`);
  if (Array.isArray(value)) return value.map((item, index) => fromPlain(item, `${path}[${index}]`) ?? null);
  if (value instanceof Uint8Array) return new ByteString(value);
  const map = newMap();
  for (const [key, item] of Object.entries(value)) {
    const inner = fromPlain(item, `${path}.${key}`);
    if (inner !== undefined) map[key] = inner;
  }
  return map;
}
