import { ByteString, kindOf, newMap } from './value.js';
import type { PropertyArray, PropertyMap, PropertyValue, ResourceReference, Secret } from './value.js';

/** Values without marks, as functions of users receive and return them. */
export type PlainValues = Readonly<Record<string, unknown>>;

/**
 * Converts a property value to a plain one: no secret marks, references as the id, or as the URN if there is no id.
 * Unknowns remain marked.
 */
export function toPlain(value: PropertyValue): unknown {
  switch (kindOf(value)) {
    case 'array':
      return (value as PropertyArray).map(toPlain);
    case 'object':
      return toPlainMap(value as PropertyMap);
    case 'secret':
      return toPlain((value as Secret).value);
    case 'reference': {
      const { id, urn } = value as ResourceReference;
      return id ?? urn;
    }
    case 'bytes':
      return (value as ByteString).bytes;
    default:
      return value;
  }
}

/** Applies {@link toPlain} to a map. */
export function toPlainMap(map: PropertyMap): Record<string, unknown> {
  return Object.fromEntries(Object.keys(map).map((key) => [key, toPlain(map[key] as PropertyValue)]));
}

/**
 * Converts a plain value to a property. `undefined` is omitted, and becomes null in lists. Throws TypeError with the
 * path for a value that cannot be a property.
 */
export function fromPlain(value: unknown, path = 'the value'): PropertyValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value;
    case 'undefined':
      return undefined;
    case 'object':
      break;
    default:
      throw new TypeError(`${path} is a ${typeof value}, which cannot be a property`);
  }
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((item, index) => fromPlain(item, `${path}[${index}]`) ?? null);
  if (value instanceof Uint8Array) return new ByteString(value);
  if (kindOf(value as PropertyValue) !== 'object') return value as PropertyValue;
  return fromPlainMap(value as PlainValues, path);
}

/** Applies {@link fromPlain} to a map. */
export function fromPlainMap(values: PlainValues, path = ''): PropertyMap {
  const map = newMap();
  for (const [key, item] of Object.entries(values)) {
    const value = fromPlain(item, path === '' ? key : `${path}.${key}`);
    if (value !== undefined) map[key] = value;
  }
  return map;
}
