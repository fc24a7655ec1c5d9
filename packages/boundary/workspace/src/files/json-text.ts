/** JSON data whose maps keep their order. */
export type JsonData =
  null | boolean | number | bigint | string | readonly JsonData[] | ReadonlyMap<string, JsonData>;

/**
 * Style of JSON text. `indent` is the number of spaces for each level. With `escapeHtml`, `<`, `>` and `&` are written
 * as escapes.
 */
interface JsonStyle {
  readonly indent: number;
  readonly escapeHtml: boolean;
}

/** Returns JSON text in the form of Pulumi's files [STATE-1]: no newline at the end, U+2028 and U+2029 escaped. */
export function jsonFileText(data: JsonData, style: JsonStyle, depth = 0): string {
  if (data === null || typeof data === 'boolean') return String(data);
  if (typeof data === 'number') return Number.isFinite(data) ? String(data) : 'null';
  if (typeof data === 'bigint') return data.toString();
  if (typeof data === 'string') return quote(data, style);
  const inner = '\n' + ' '.repeat(style.indent * (depth + 1));
  const outer = '\n' + ' '.repeat(style.indent * depth);
  if (isList(data)) {
    if (data.length === 0) return '[]';
    return `[${inner}${data.map((item) => jsonFileText(item, style, depth + 1)).join(`,${inner}`)}${outer}]`;
  }
  if (data.size === 0) return '{}';
  const members = [...data].map(
    ([key, value]) => `${quote(key, style)}: ${jsonFileText(value, style, depth + 1)}`,
  );
  return `{${inner}${members.join(`,${inner}`)}${outer}}`;
}

/** Converts the result of `JSON.parse`, with sorted keys. */
export function jsonData(parsed: unknown): JsonData {
  if (
    parsed === null ||
    typeof parsed === 'boolean' ||
    typeof parsed === 'number' ||
    typeof parsed === 'string'
  )
    return parsed;
  if (Array.isArray(parsed)) return parsed.map(jsonData);
  if (typeof parsed !== 'object') return null;
  const keys = Object.keys(parsed).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return new Map(keys.map((key) => [key, jsonData((parsed as Record<string, unknown>)[key])]));
}

function isList(data: readonly JsonData[] | ReadonlyMap<string, JsonData>): data is readonly JsonData[] {
  return Array.isArray(data);
}

const HALF_PAIR = /\p{Surrogate}/gu;
const ALWAYS_ESCAPED = /[\u2028\u2029]/g;

function quote(text: string, style: JsonStyle): string {
  const quoted = JSON.stringify(text.replace(HALF_PAIR, '\ufffd')).replace(
    ALWAYS_ESCAPED,
    (char) => `\\u${char.charCodeAt(0).toString(16)}`,
  );
  return style.escapeHtml
    ? quoted.replace(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
    : quoted;
}
