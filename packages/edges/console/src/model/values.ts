import { UNKNOWN_ID } from '@cairn/addresses';
import { SIGNATURES, SIGNATURE_KEY } from '@cairn/values';

/** Kind of a value on a page. */
type ValueKind =
  | 'text'
  | 'number'
  | 'truth'
  | 'null'
  | 'unknown'
  | 'list'
  | 'map'
  | 'secret'
  | 'asset'
  | 'archive'
  | 'reference'
  | 'bytes';

const KINDS = ['secret', 'asset', 'archive', 'reference', 'bytes'] as const;

/** Returns the kind of a value of a state. */
export function valueKind(value: unknown): ValueKind {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') {
    const mark = Object.hasOwn(value, SIGNATURE_KEY) && (value as Record<string, unknown>)[SIGNATURE_KEY];
    return KINDS.find((kind) => SIGNATURES[kind] === mark) ?? 'map';
  }
  if (typeof value === 'string') return value === UNKNOWN_ID ? 'unknown' : 'text';
  return typeof value === 'boolean' ? 'truth' : 'number';
}

/** Returns a value in one line. Containers are written as JSON, and a secret never has a content here. */
export function lineOfValue(value: unknown): string {
  const kind = valueKind(value);
  if (kind === 'secret') return '[secret]';
  if (kind === 'unknown') return '[unknown]';
  if (kind === 'list') return `[${(value as unknown[]).map(lineOfValue).join(', ')}]`;
  if (kind === 'asset' || kind === 'archive' || kind === 'reference' || kind === 'bytes') return `[${kind}]`;
  if (kind === 'map')
    return `{${Object.entries(value as object)
      .map(([key, each]) => `${key}: ${lineOfValue(each)}`)
      .join(', ')}}`;
  return kind === 'text' ? JSON.stringify(value) : String(value);
}

/** Returns a path of a property as programs write it: `inputs.tags["a b"][0]`. */
export function propertyPathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (/^[A-Za-z_$][\w$]*$/.test(key)) return index === 0 ? key : `.${key}`;
      return `[${JSON.stringify(key)}]`;
    })
    .join('');
}
