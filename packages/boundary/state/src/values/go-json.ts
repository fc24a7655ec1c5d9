import { BugError } from '@cairn/diagnostics';

/** A JSON value. Objects made by this package have no prototype if their keys are the user's. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Options of the writer. `escapeHtml` writes `<`, `>` and `&` as `\u003c`, `\u003e`, `\u0026`; [STATE-1] lists the
 * writers that do so. `structs` keeps the order of objects marked by {@link goStruct}.
 */
interface GoJsonOptions {
  readonly escapeHtml?: boolean;
  readonly structs?: boolean;
}

const structs = new WeakSet<object>();

/**
 * Marks an object as a struct. A writer with the option `structs` keeps the order of its keys, as Go does with declared
 * fields [STATE-1]. Keys of all other objects are a map's, and sorted. The mark is not copied with the fields.
 */
export function goStruct<T extends object>(fields: T): T {
  structs.add(fields);
  return fields;
}

/** Characters that a JSON string may not contain unescaped, or that the format always escapes. */
const NEEDS_ESCAPE = /[\u0000-\u001f"\\\u2028\u2029\ud800-\udfff]/;
const HTML = /[<>&]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

const SEPARATORS: Readonly<Record<string, string>> = { '\u2028': '\\u2028', '\u2029': '\\u2029' };
const HTML_ESCAPES: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/**
 * Returns the JSON text that Go's encoder gives a map or a value [STATE-1]. It has no spaces, keys in ascending order
 * of UTF-8 bytes, and numbers in shortest form with `-0` kept. U+2028 and U+2029 are escaped; half surrogate pairs
 * become `\ufffd`. NaN and infinities are a `BugError`: the value codec gives them a form of their own.
 */
export function goJson(value: Json, options: GoJsonOptions = {}): string {
  const keysOf = options.structs === true ? keysInOrder : sortedKeys;
  return write(value, { html: options.escapeHtml === true, keysOf }, 0);
}

/** Style of a value: HTML escaped or not, and the keys of an object in their order. */
interface Style {
  readonly html: boolean;
  readonly keysOf: (object: object) => string[];
}

function keysInOrder(object: object): string[] {
  return structs.has(object) ? Object.keys(object) : sortedKeys(object);
}

/** Writes one JSON string. */
export function goJsonString(text: string, options: GoJsonOptions = {}): string {
  return quote(text, options.escapeHtml === true);
}

/** Escapes the characters of a JSON text that matter to HTML, and U+2028 and U+2029 from texts passed through. */
export function escapeHtmlIn(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (char) => (HTML_ESCAPES[char] ?? SEPARATORS[char]) as string);
}

/** Tells whether a JSON value is an object (not null, not a list). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Orders keys as Go does: by UTF-8 bytes, which is the order of code points. */
function compareKeys(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Returns the keys of an object in the order in which they are written. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return sortKeys(keys);
  }
  return keys.length > 1 && keys.some(hasHighUnit) ? keys.sort(compareKeys) : keys;
}

function sortKeys(keys: string[]): string[] {
  if (keys.some(hasHighUnit)) return keys.sort(compareKeys);
  return keys.length > FEW ? keys.sort() : insertionSort(keys);
}

/** Number of keys up to which {@link insertionSort} is cheaper than the general sort, which copies the list twice. */
const FEW = 16;

function insertionSort(keys: string[]): string[] {
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let at = index;
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string;
    keys[at] = key;
  }
  return keys;
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

/** Tells whether a key has a unit from U+D800 up. Only then do UTF-16 order and code point order differ. */
function hasHighUnit(key: string): boolean {
  return /[\ud800-\uffff]/.test(key);
}

/** Depth below which a list serves as the stack, because the call stack is limited. */
const DEEP = 200;

function write(value: Json, style: Style, depth: number): string {
  if (typeof value !== 'object' || value === null) return scalarText(value, style);
  if (depth > DEEP) return writeDeep(value, style);
  return isList(value) ? writeList(value, style, depth + 1) : writeObject(value, style, depth + 1);
}

function scalarText(value: Exclude<Json, readonly Json[] | JsonObject>, style: Style): string {
  switch (typeof value) {
    case 'string':
      return quote(value, style.html);
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
      if (value === null) return 'null';
      throw new BugError(`a ${typeof value} is not JSON`);
  }
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function writeList(items: readonly Json[], style: Style, depth: number): string {
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    if (index > 0) text += ',';
    text += write(items[index] as Json, style, depth);
  }
  return `${text}]`;
}

function writeObject(object: JsonObject, style: Style, depth: number): string {
  let text = '{';
  for (const key of style.keysOf(object)) {
    const value = object[key];
    if (value === undefined) continue;
    if (text.length > 1) text += ',';
    text += label(key, style.html);
    text += write(value, style, depth);
  }
  return `${text}}`;
}

/** Labels of short keys. Names of properties repeat in every resource. */
const labels = new Map<string, string>();
const MOST_LABELS = 1000;
const LONGEST_LABEL = 64;

/** Returns a key as it is written before its value. */
function label(key: string, html: boolean): string {
  if (html || key.length > LONGEST_LABEL) return `${quote(key, html)}:`;
  let known = labels.get(key);
  if (known === undefined) {
    known = `${quote(key, false)}:`;
    if (labels.size < MOST_LABELS) labels.set(key, known);
  }
  return known;
}

/** Unwritten rest of an open list or object. */
interface Open {
  readonly close: ']' | '}';
  /** Labels and values; the first is last. */
  readonly rest: [label: string, value: Json][];
  first: boolean;
}

function opened(value: readonly Json[] | JsonObject, style: Style): Open {
  if (isList(value))
    return { close: ']', rest: value.map((item): [string, Json] => ['', item]).reverse(), first: true };
  const members = style.keysOf(value).filter((key) => value[key] !== undefined);
  const rest = members.map((key): [string, Json] => [label(key, style.html), value[key] as Json]);
  return { close: '}', rest: rest.reverse(), first: true };
}

/** Writes a value like {@link write}, at any depth. */
function writeDeep(value: readonly Json[] | JsonObject, style: Style): string {
  const parts: string[] = [isList(value) ? '[' : '{'];
  const stack: Open[] = [opened(value, style)];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) {
      parts.push(top.close);
      stack.pop();
      continue;
    }
    const [label, item] = next;
    parts.push(top.first ? label : `,${label}`);
    top.first = false;
    if (typeof item !== 'object' || item === null) parts.push(scalarText(item, style));
    else {
      parts.push(isList(item) ? '[' : '{');
      stack.push(opened(item, style));
    }
  }
  return parts.join('');
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new BugError(`${value} has no JSON form`);
  return Object.is(value, -0) ? '-0' : String(value);
}

function quote(text: string, html: boolean): string {
  const quoted = NEEDS_ESCAPE.test(text) ? escape(text) : `"${text}"`;
  return html && HTML.test(quoted) ? escapeHtmlIn(quoted) : quoted;
}

function escape(text: string): string {
  const wellFormed = text.split(LONE_SURROGATE).map((part) => JSON.stringify(part).slice(1, -1));
  return `"${wellFormed.join('\\ufffd').replace(/[\u2028\u2029]/g, (char) => SEPARATORS[char] as string)}"`;
}
