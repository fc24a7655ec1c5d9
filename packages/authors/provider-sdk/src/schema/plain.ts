import { ByteString, isSecret, kindOf, newMap, secret, some } from '@cairn/values';
import type { PropertyArray, PropertyMap, PropertyValue, ResourceReference, Secret } from '@cairn/values';
import type { ShapeSpec } from './property.js';

/** Values that handlers receive and return. */
export type PlainValues = Readonly<Record<string, unknown>>;

/**
 * Converts a property value for a handler: no secret marks, references as the id, or as the URN if there is no id.
 * Unknowns remain marked; only handlers of a preview ever get one.
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
 * Converts a handler's value to a property. `undefined` is omitted. Throws TypeError for a value that cannot be a
 * property.
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

/** Inputs that each output reveals, by output name. */
type Reveals = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * Marks values as secret: those that the schema marks, and those with the name of a secret input or that reveal one.
 */
export function markSecrets(
  map: PropertyMap,
  schema: ShapeSpec,
  inputs: PropertyMap = {},
  reveals: Reveals = {},
): PropertyMap {
  const marked = newMap();
  for (const key of Object.keys(map)) {
    const value = map[key] as PropertyValue;
    const isMarked =
      schema[key]?.secret === true ||
      [key, ...(reveals[key] ?? [])].some((name) => holdsSecret(inputs, name));
    marked[key] = isMarked ? secret(value) : value;
  }
  return marked;
}

function holdsSecret(inputs: PropertyMap, name: string): boolean {
  const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return input !== undefined && some(input, isSecret);
}
