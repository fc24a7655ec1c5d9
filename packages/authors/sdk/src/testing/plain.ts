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

/** Stands for a value that a preview does not know yet. */
export const unknown: unique symbol = Symbol.for('cairn.sdk.testing.unknown') as never;

/** Properties as plain data. */
export interface PlainProperties {
  /** Secrets bare; {@link unknown} for what is not known; assets and archives as they are. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Paths of what is secret, such as `login.password`, in order. */
  readonly secrets: readonly string[];
}

/** What was shown for references, so that a mock can answer with them. */
const references = new WeakMap<object, ResourceReference>();

/** A mock's answer with references in the place of what {@link plain} has shown for them. */
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
export function plain(map: PropertyMap): PlainProperties {
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
