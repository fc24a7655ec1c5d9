import { fromPlain, isSecret, kindOf, newMap, secret, some } from '@cairn/values';
import type { PropertyArray, PropertyMap, PropertyValue, Secret } from '@cairn/values';
import { deserialize } from '../values/deserialize.js';

type Values = Readonly<Record<string, unknown>>;

/** Thrown to end a policy that does not apply, or not yet. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/**
 * Returns properties as a policy sees them, with secrets bare. Reading an unknown value throws {@link NotApplicable}.
 */
export function policyView(map: PropertyMap, path = ''): Values {
  const view = {};
  for (const key of Object.keys(map))
    define(view, key, map[key] as PropertyValue, path === '' ? key : `${path}.${key}`);
  return view;
}

function define(holder: object, key: string | number, value: PropertyValue, path: string): void {
  const common = { enumerable: true, configurable: true };
  const bare = kindOf(value) === 'secret' ? (value as Secret).value : value;
  if (kindOf(bare) === 'unknown') {
    const get = (): never => {
      throw new NotApplicable(`${path} is not known yet`);
    };
    Object.defineProperty(holder, key, { ...common, get });
  } else Object.defineProperty(holder, key, { ...common, value: viewed(bare, path), writable: true });
}

function viewed(value: PropertyValue, path: string): unknown {
  switch (kindOf(value)) {
    case 'array': {
      const list: unknown[] = [];
      (value as PropertyArray).forEach((item, index) => define(list, index, item, `${path}[${index}]`));
      return list;
    }
    case 'object':
      return policyView(value as PropertyMap, path);
    default:
      return deserialize(value).value;
  }
}

/** Returns the properties with corrections: some set and some removed. A value that replaces a secret is secret. */
export function withCorrections(map: PropertyMap, corrections: Values): PropertyMap {
  const corrected = Object.assign(newMap(), map);
  for (const [key, item] of Object.entries(corrections)) {
    const value = fromPlain(item, key);
    const before = Object.hasOwn(map, key) ? map[key] : undefined;
    if (value === undefined) delete corrected[key];
    else corrected[key] = before !== undefined && some(before, isSecret) ? secret(value) : value;
  }
  return corrected;
}
