import { formatPath, kindOf } from '@cairn/values';
import type {
  OutputValue,
  PropertyArray,
  PropertyMap,
  PropertyPath,
  PropertyValue,
  ResourceReference,
  Secret,
} from '@cairn/values';

/** Represents a value that is unknown in a preview. */
export const unknown: unique symbol = Symbol.for('cairn.sdk.testing.unknown') as never;

/** Properties as plain data. */
export interface PlainProperties {
  /** Values with secrets bare. {@link unknown} represents unknown values; assets and archives are unchanged. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Paths of secret values, such as `login.password`, in order. */
  readonly secrets: readonly string[];
}

/** References by the objects that were shown for them, so that a mock can answer with them. */
const references = new WeakMap<object, ResourceReference>();

/** Returns a mock's answer with references in place of the objects that {@link plainProperties} showed for them. */
export function withReferences(answer: object): object {
  const walked = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(walked);
    const known = references.get(value);
    if (known !== undefined || Object.getPrototypeOf(value) !== Object.prototype) return known ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walked(item)]));
  };
  return walked(answer) as object;
}

/** Turns properties into plain data. References become `{ urn, id }`, bytes a `Uint8Array`. */
export function plainProperties(map: PropertyMap): PlainProperties {
  const secrets: string[] = [];
  return { values: entries(map, [], secrets), secrets };
}

function entries(map: PropertyMap, path: PropertyPath, secrets: string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(map).map((key) => [key, walk(map[key] as PropertyValue, [...path, key], secrets)]),
  );
}

function walk(value: PropertyValue, path: PropertyPath, secrets: string[]): unknown {
  switch (kindOf(value)) {
    case 'unknown':
      return unknown;
    case 'array':
      return (value as PropertyArray).map((item, index) => walk(item, [...path, index], secrets));
    case 'object':
      return entries(value as PropertyMap, path, secrets);
    case 'secret':
      secrets.push(formatPath(path));
      return walk((value as Secret).value, path, []);
    case 'output': {
      const { value: inner, secret } = value as OutputValue;
      if (secret) secrets.push(formatPath(path));
      return inner === undefined ? unknown : walk(inner, path, secret ? [] : secrets);
    }
    case 'reference': {
      const { urn, id } = value as ResourceReference;
      const shown = id === undefined ? { urn } : { urn, id: walk(id, path, secrets) };
      references.set(shown, value as ResourceReference);
      return shown;
    }
    case 'bytes':
      return (value as { readonly bytes: Uint8Array }).bytes;
    default:
      return value;
  }
}
