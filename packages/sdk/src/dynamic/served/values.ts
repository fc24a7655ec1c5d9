import { ByteString, isSecret, kindOf, newMap, secret, some } from '@cairn/values';
import type { PropertyMap, PropertyValue, Secret } from '@cairn/values';
import { deserialize } from '../../values/deserialize.js';
import type { Values } from './module.js';

/** Inputs or outputs as handlers take them: secrets bare, without the engine's own keys. */
export function plainValues(map: PropertyMap): Values {
  const own = Object.entries(map).filter(([key]) => !key.startsWith('__'));
  return Object.fromEntries(own.map(([key, value]) => [key, deserialize(value as PropertyValue).value]));
}

/**
 * What a handler reports, as properties: secret where it is to be, and where an input of that name is. Throws TypeError
 * for what cannot be a property.
 */
export function reported(values: unknown, inputs: PropertyMap, secretKeys: readonly string[]): PropertyMap {
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new TypeError('the outputs are no object');
  const map = newMap();
  for (const [key, item] of Object.entries(values)) {
    const value = property(item, key);
    if (value === undefined) continue;
    const input = Object.hasOwn(inputs, key) ? inputs[key] : undefined;
    const marked = secretKeys.includes(key) || (input !== undefined && some(input, isSecret));
    map[key] = marked && kindOf(value) !== 'secret' ? secret(value) : value;
  }
  return map;
}

function property(value: unknown, path: string): PropertyValue | undefined {
  if (value === undefined) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (typeof value !== 'object')
    throw new TypeError(`${path} is a ${typeof value}, which cannot be a property`);
  if (Array.isArray(value)) return value.map((item, index) => property(item, `${path}[${index}]`) ?? null);
  if (value instanceof Uint8Array) return new ByteString(value);
  const map = newMap();
  for (const [key, item] of Object.entries(value)) {
    const inner = property(item, `${path}.${key}`);
    if (inner !== undefined) map[key] = inner;
  }
  return map;
}

/** Shorter texts occur everywhere: replacing them would only show where they are. */
const SHORTEST = 3;

/** The text with every secret of the maps replaced. */
export function redacted(text: string, maps: readonly PropertyMap[]): string {
  const found = new Set<string>();
  for (const map of maps) {
    some(map, (value) => {
      if (kindOf(value) !== 'secret') return false;
      return some((value as Secret).value, (inner) => {
        if (typeof inner === 'string' && inner.length >= SHORTEST) found.add(inner);
        return false;
      });
    });
  }
  // Longest first, so that no secret hides part of another.
  return [...found]
    .sort((a, b) => b.length - a.length)
    .reduce((shown, one) => shown.replaceAll(one, '[secret]'), text);
}
