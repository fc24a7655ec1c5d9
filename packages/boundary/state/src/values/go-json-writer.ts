import { BugError } from '@cairn/diagnostics';
import { MAX_TEXT_BYTES, exceedsText, textTooLong } from '@cairn/diagnostics/text-limit';
import type { Json, JsonObject } from './json.js';
import { needsEscape, quote } from './go-string.js';
import { sortedKeys } from './sorted-keys.js';

/** Style of values: HTML escaped or not, and the keys of an object in their order. */
interface GoStyle {
  readonly html: boolean;
  readonly keysOf: (object: object) => string[];
}

/** Style without HTML escapes and declared fields. */
const PLAIN: GoStyle = { html: false, keysOf: sortedKeys };

/** Bytes of the buffer at first. */
const FIRST = 1 << 16;
/** Bytes of a buffer that is kept after its text was taken. */
const MOST_KEPT = 1 << 20;
/** Longest text that is copied in a loop, which is faster than a call into the runtime. */
const SHORT = 64;
/** Depth below which a list serves as the stack, because the call stack is limited. */
const DEEP = 200;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Text as UTF-8 in a part of a buffer. */
export interface TextBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the JSON of `goJson` into a buffer, whose text is made at the end. Adding texts to each other would take
 * several times the memory of the result. A text may be begun while another one is written: it is over before.
 */
class GoJsonWriter {
  #bytes = Buffer.allocUnsafeSlow(FIRST);
  #at = 0;
  /** True if each byte so far is a character. */
  #isAscii = true;

  /**
   * Returns the text that `write` adds, in the form that `take` makes of its bytes. Throws CAIRN-STATE-TOO-LARGE if it
   * has more than `most` bytes.
   */
  text<T>(write: (to: this) => void, most: number, take: (text: TextBytes, isAscii: boolean) => T): T {
    const start = this.#at;
    const wasAscii = this.#isAscii;
    this.#isAscii = true;
    try {
      write(this);
      const bytes = this.#at - start;
      if (bytes > most) throw textTooLong('an entry of the state', bytes, most);
      return take({ bytes: this.#bytes, start, end: this.#at }, this.#isAscii);
    } catch (thrown) {
      throw exceedsText(thrown) ? textTooLong('an entry of the state', undefined, most) : thrown;
    } finally {
      this.#at = start;
      this.#isAscii = wasAscii;
      if (start === 0 && this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafeSlow(FIRST);
    }
  }

  /** Adds a JSON text as it is. */
  raw(text: string): void {
    this.#need(text.length * 3);
    const end = text.length <= SHORT ? this.#copyAscii(text, this.#at) : -1;
    if (end >= 0) this.#at = end;
    else {
      const size = this.#bytes.write(text, this.#at);
      this.#isAscii &&= size === text.length;
      this.#at += size;
    }
  }

  string(text: string, html = false): void {
    if (text.length > SHORT || html) return this.#longString(text, html);
    this.#need(text.length + 2);
    const end = this.#copyPlain(text, this.#at + 1);
    if (end < 0) return this.raw(quote(text, html));
    this.#bytes[this.#at] = QUOTE;
    this.#bytes[end] = QUOTE;
    this.#at = end + 1;
  }

  value(value: Json, style: GoStyle = PLAIN, depth = 0): void {
    if (typeof value !== 'object' || value === null) return this.#scalar(value, style.html);
    if (depth > DEEP) return this.#deep(value, style);
    if (isList(value)) this.#list(value, style, depth + 1);
    else this.#object(value, style, depth + 1);
  }

  #longString(text: string, html: boolean): void {
    if (html || needsEscape(text)) return this.raw(quote(text, html));
    this.#byte(QUOTE);
    this.raw(text);
    this.#byte(QUOTE);
  }

  #scalar(value: Exclude<Json, readonly Json[] | JsonObject>, html: boolean): void {
    switch (typeof value) {
      case 'string':
        return this.string(value, html);
      case 'number':
        return this.raw(numberText(value));
      case 'boolean':
        return this.raw(value ? 'true' : 'false');
      default:
        if (value === null) return this.raw('null');
        throw new BugError(`a ${typeof value} is not JSON`);
    }
  }

  #list(items: readonly Json[], style: GoStyle, depth: number): void {
    this.#byte(OPEN_LIST);
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.#byte(COMMA);
      this.value(items[index] as Json, style, depth);
    }
    this.#byte(CLOSE_LIST);
  }

  #object(object: JsonObject, style: GoStyle, depth: number): void {
    this.#byte(OPEN_OBJECT);
    const start = this.#at;
    const keys = style.keysOf(object);
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as string;
      const value = object[key];
      if (value === undefined) continue;
      if (this.#at > start) this.#byte(COMMA);
      this.#label(key, style.html);
      this.value(value, style, depth);
    }
    this.#byte(CLOSE_OBJECT);
  }

  #label(key: string, html: boolean): void {
    this.string(key, html);
    this.#byte(COLON);
  }

  /** Writes a value like {@link value}, at any depth. */
  #deep(value: readonly Json[] | JsonObject, style: GoStyle): void {
    const stack: Open[] = [this.#opened(value, style)];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        this.#byte(top.close);
        stack.pop();
        continue;
      }
      const [key, item] = next;
      if (!top.first) this.#byte(COMMA);
      top.first = false;
      if (key !== undefined) this.#label(key, style.html);
      if (typeof item !== 'object' || item === null) this.#scalar(item, style.html);
      else stack.push(this.#opened(item, style));
    }
  }

  #opened(value: readonly Json[] | JsonObject, style: GoStyle): Open {
    this.#byte(isList(value) ? OPEN_LIST : OPEN_OBJECT);
    if (isList(value)) {
      const rest = value.map((item): [undefined, Json] => [undefined, item]);
      return { close: CLOSE_LIST, rest: rest.reverse(), first: true };
    }
    const members = style.keysOf(value).filter((key) => value[key] !== undefined);
    const rest = members.map((key): [string, Json] => [key, value[key] as Json]);
    return { close: CLOSE_OBJECT, rest: rest.reverse(), first: true };
  }

  #byte(byte: number): void {
    this.#need(1);
    this.#bytes[this.#at++] = byte;
  }

  /** Copies ASCII text. Returns its end, or -1 for other text. */
  #copyAscii(text: string, start: number): number {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 0x7e) return -1;
      this.#bytes[start + index] = code;
    }
    return start + text.length;
  }

  /** Copies ASCII text that needs no escape in a string. Returns its end, or -1 for other text. */
  #copyPlain(text: string, start: number): number {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === 0x5c) return -1;
      this.#bytes[start + index] = code;
    }
    return start + text.length;
  }

  #need(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}

/** Receives the parts of a text. */
export type GoTarget = Pick<GoJsonWriter, 'raw' | 'string' | 'value'>;

const writer = new GoJsonWriter();

/** Returns the text that `write` adds, of values in the form of `goJson` and of JSON as it is. */
export function goText(write: (to: GoTarget) => void, most = MAX_TEXT_BYTES): string {
  return writer.text(write, most, textOf);
}

function textOf({ bytes, start, end }: TextBytes, isAscii: boolean): string {
  return bytes.toString(isAscii ? 'latin1' : 'utf8', start, end);
}

/** Returns what {@link goText} does, as bytes that are valid until the next text begins. */
export function goBytes(write: (to: GoTarget) => void): TextBytes {
  return writer.text(write, MAX_TEXT_BYTES, (text) => text);
}

/** Unwritten rest of an open list or object. */
interface Open {
  readonly close: number;
  /** Keys and values; the first is last. */
  readonly rest: [key: string | undefined, value: Json][];
  first: boolean;
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new BugError(`${value} has no JSON form`);
  return Object.is(value, -0) ? '-0' : String(value);
}
