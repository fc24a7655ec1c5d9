import { getAt, getProperty, isOutputValue, isSecret, kindOf } from '@cairn/values';
import type { OutputValue, PropertyArray, PropertyMap, PropertyValue } from '@cairn/values';
import { providerPath } from './provider-path.js';

/** Text of a value that is not known yet. */
const NOT_KNOWN = 'output<string>{}';

/**
 * Formats a value as messages about properties quote it, with its braces: `{bar}`, `{42}`, `{map[a:{1}]}` with keys in
 * order, `{[{1} {2}]}`. A value that is not known yet is `output<string>{}` without braces [PLAN-7]. The content of a
 * secret is never shown.
 */
export function shownValue(value: PropertyValue | undefined): string {
  if (value === undefined || value === null) return '{<nil>}';
  const kind = kindOf(value);
  switch (kind) {
    case 'unknown':
      return NOT_KNOWN;
    case 'output': {
      const output = value as OutputValue;
      if (output.secret) return '{[secret]}';
      return output.value === undefined ? NOT_KNOWN : shownValue(output.value);
    }
    case 'boolean':
    case 'string':
      return `{${String(value)}}`;
    case 'number':
      return `{${shownNumber(value as number)}}`;
    case 'array':
      return `{[${(value as PropertyArray).map(shownValue).join(' ')}]}`;
    case 'object':
      return `{map[${shownProperties(value as PropertyMap)}]}`;
    default:
      return `{[${kind}]}`;
  }
}

/**
 * Formats the value that a provider means by a property name or path. Shows nothing of a value that lies in a secret.
 */
export function shownProperty(map: PropertyMap, property: string): string {
  const direct = getProperty(map, property);
  if (direct !== undefined) return shownValue(direct);
  const path = providerPath(property);
  for (let length = 1; length < path.length; length++) {
    const outer = getAt(map, path.slice(0, length));
    if (isSecret(outer) || (isOutputValue(outer) && outer.secret)) return '{[secret]}';
  }
  return shownValue(getAt(map, path));
}

function shownProperties(map: PropertyMap): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}:${shownValue(map[key])}`)
    .join(' ');
}

/** Formats a number. Exponents have at least two digits and begin below 0.0001, as in the reference's messages. */
function shownNumber(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && size < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
