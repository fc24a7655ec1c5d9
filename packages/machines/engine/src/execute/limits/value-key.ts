import { isArray, isKind, isMap, isSecret, kindOf } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/**
 * A text that is the same for equal values, whatever the order of their keys and whether or not they are secret. Values
 * that are no plain data, such as files, count as equal to all others of their kind: then too much is excluded, never
 * too little.
 */
export function valueKey(value: PropertyValue): string {
  if (isSecret(value)) return valueKey(value.value);
  if (isArray(value)) return `[${value.map(valueKey).join(',')}]`;
  if (isMap(value)) {
    const members = Object.keys(value).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${valueKey(value[key] as PropertyValue)}`).join(',')}}`;
  }
  if (isKind(value, 'reference')) return `<${value.urn}>`;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? String(value) : `<${kindOf(value)}>`;
}
