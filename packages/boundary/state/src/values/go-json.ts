import { BugError } from '@cairn/diagnostics';
import { goText } from './go-json-writer.js';
import type { Json, JsonObject } from './json.js';
import { quote } from './go-string.js';
import { sortedKeys } from './sorted-keys.js';

export type { Json, JsonObject } from './json.js';

/**
 * Options of the writer. `escapeHtml` writes `<`, `>` and `&` as `\u003c`, `\u003e`, `\u0026`; [STATE-1] lists the
 * writers that do so. `structs` keeps the order of objects marked by {@link goStruct}.
 */
interface GoJsonOptions {
  readonly escapeHtml?: boolean;
  readonly structs?: boolean;
}

const marked = new WeakSet<object>();

/**
 * Marks an object as a struct. A writer with the option `structs` keeps the order of its keys, as Go does with declared
 * fields [STATE-1]. Keys of all other objects are a map's, and sorted. The mark is not copied with the fields.
 */
export function goStruct<T extends object>(fields: T): T {
  marked.add(fields);
  return fields;
}

/**
 * Returns the JSON text that Go's encoder gives a map or a value [STATE-1]. It has no spaces, keys in ascending order
 * of UTF-8 bytes, and numbers in shortest form with `-0` kept. U+2028 and U+2029 are escaped; half surrogate pairs
 * become `\ufffd`. NaN and infinities are a `BugError`: the value codec gives them a form of their own.
 */
export function goJson(value: Json, options: GoJsonOptions = {}): string {
  const { escapeHtml = false, structs = false } = options;
  const style =
    escapeHtml || structs ? { html: escapeHtml, keysOf: structs ? keysInOrder : sortedKeys } : undefined;
  return goText((to) => to.value(value, style));
}

function keysInOrder(object: object): string[] {
  return marked.has(object) ? Object.keys(object) : sortedKeys(object);
}

/** Writes one JSON string. */
export function goJsonString(text: string, options: GoJsonOptions = {}): string {
  return quote(text, options.escapeHtml === true);
}

/** Tells whether a JSON value is an object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the same JSON text with line breaks and `spaces` spaces a level, as Go's indenting writer lays it out. */
export function indentJson(compact: string, spaces: number): string {
  return new JsonIndenter(spaces).next(compact);
}

/**
 * Lays out a compact JSON text that comes in pieces. A piece may end anywhere except inside a string or between the
 * brackets of an empty value.
 */
export class JsonIndenter {
  #depth = 0;
  readonly #spaces: number;

  constructor(spaces: number) {
    this.#spaces = spaces;
  }

  next(compact: string): string {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at < compact.length; at++) {
      const char = compact[at];
      if (char === '"') {
        at = endOfString(compact, at);
      } else if (char === '{' || char === '[') {
        if (compact[at + 1] === '}' || compact[at + 1] === ']') {
          at += 1;
          continue;
        }
        this.#depth += 1;
        parts.push(compact.slice(from, at + 1), this.#line());
        from = at + 1;
      } else if (char === '}' || char === ']') {
        this.#depth -= 1;
        parts.push(compact.slice(from, at), this.#line());
        from = at;
      } else if (char === ',') {
        parts.push(compact.slice(from, at + 1), this.#line());
        from = at + 1;
      } else if (char === ':') {
        parts.push(compact.slice(from, at + 1), ' ');
        from = at + 1;
      }
    }
    parts.push(compact.slice(from));
    return parts.join('');
  }

  #line(): string {
    return `\n${' '.repeat(this.#spaces * this.#depth)}`;
  }
}

function endOfString(text: string, open: number): number {
  for (let at = open + 1; ; at++) {
    if (at >= text.length) throw new BugError('indentJson was given a text that is not JSON');
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
}
