import { isArray, isKind, isMap, isSecret, kindOf } from '@cairn/values';
import type { PropertyValue } from '@cairn/values';

/**
 * Returns a text that is equal for equal values, regardless of the order of keys and of secret marks. Values other than
 * plain data, such as files, equal all others of their kind. This may exclude too much, never too little.
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
