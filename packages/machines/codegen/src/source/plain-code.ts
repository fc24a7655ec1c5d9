import { propertyKey, stringLiteral } from './literal.js';

/** Returns the source of plain JSON data, on one line. Undefined members are left out. */
export function literalCode(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(literalCode).join(', ')}]`;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${propertyKey(key)}: ${literalCode(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
