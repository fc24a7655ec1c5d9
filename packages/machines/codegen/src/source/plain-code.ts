import { propertyKey, stringLiteral } from './literal.js';

/** Returns the source of plain JSON data, on one line. Undefined members are left out. */
export function plainCode(value: unknown): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(plainCode).join(', ')}]`;
  const members = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${propertyKey(key)}: ${plainCode(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
