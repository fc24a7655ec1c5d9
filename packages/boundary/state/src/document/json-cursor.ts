import { isUtf8 } from 'node:buffer';
import { jsonFault } from './json-scan.js';
import type { Json } from '../values/go-json.js';

/** Place at which bytes stop being a readable document. `offset` counts bytes from 0. */
export class JsonBytesFault extends Error {
  override readonly name = 'JsonBytesFault';

  constructor(
    readonly offset: number,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Beginning of a value. */
type JsonKind = 'object' | 'list' | 'other';

/**
 * Deepest nesting that is accepted, ten times that of any provider. Deeper documents are refused before anything is
 * parsed, so code that walks values may recurse.
 */
export const DEEPEST = 1000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** Bytes of a string that are looked at one by one, before its end is looked for natively. */
const NEAR = 32;

/** Number of characters from which a number may be too large for a double; one with an exponent may be too. */
const LONG_NUMBER = 300;

/**
 * Reads a JSON document from its bytes, piece by piece. A caller that knows its form walks into large parts and takes
 * small ones as values. No string of the whole is made, so a document may be larger than the largest string. All faults
 * are {@link JsonBytesFault}s with the offset of the byte. Nesting beyond {@link DEEPEST} and numbers that no double
 * can represent are faults too.
 */
export class JsonCursor {
  readonly #bytes: Buffer;
  #at: number;
  /** True if the last value may contain a number that is out of range. */
  #oddNumber = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (!isUtf8(this.#bytes)) throw notUtf8(this.#bytes);
    this.#at = BOM.every((byte, index) => bytes[index] === byte) ? BOM.length : 0;
    this.#space();
  }

  /** True if only white space is left. */
  get isEmpty(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Kind of the next value. */
  kind(): JsonKind {
    const byte = this.#bytes[this.#at];
    return byte === OPEN_OBJECT ? 'object' : byte === OPEN_LIST ? 'list' : 'other';
  }

  /** Walks into an object. `member` is called at each value and must read it. */
  object(member: (key: string) => void): void {
    this.#children(CLOSE_OBJECT, () => {
      const key = this.#key();
      member(key);
    });
  }

  /** Walks into a list. `item` is called at each value and must read it. */
  items(item: () => void): void {
    this.#children(CLOSE_LIST, item);
  }

  /**
   * Returns the values of a list, each parsed on its own. `places` receives the offsets at which each value begins and
   * at which it ends with the space after it.
   */
  list(places: number[]): Json[] {
    const items: Json[] = [];
    this.items(() => {
      const from = this.#at;
      items.push(this.value());
      places.push(from, this.#at);
    });
    return items;
  }

  /** Returns the next value. */
  value(): Json {
    return this.valueAndText().value;
  }

  /** Returns the next value with its exact text. */
  valueAndText(): { readonly value: Json; readonly text: string } {
    const from = this.#at;
    const text = this.#text();
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      throw this.#faultWithin(text, from);
    }
    if (this.#oddNumber) this.#refuseInfinite(text, from);
    return { value: hasLoneEscape(text) ? wellFormed(value) : value, text };
  }

  #text(): string {
    const from = this.#at;
    const end = this.#endOfValue(from);
    this.#at = end;
    this.#space();
    try {
      return this.#bytes.toString('utf8', from, end);
    } catch {
      throw new JsonBytesFault(from, `a value of ${end - from} bytes is larger than this software can read`);
    }
  }

  /** Checks the end, after the document's value: only white space may follow. */
  end(): void {
    if (!this.isEmpty) throw new JsonBytesFault(this.#at, 'there is more text after the end of the document');
  }

  #children(close: number, child: () => void): void {
    this.#at += 1;
    this.#space();
    if (this.#bytes[this.#at] === close) return this.#past();
    for (;;) {
      child();
      const byte = this.#bytes[this.#at];
      this.#past();
      if (byte === close) return;
      if (byte !== COMMA) throw this.#fault(this.#at - 1, `expected "," or "${String.fromCharCode(close)}"`);
    }
  }

  #key(): string {
    const bytes = this.#bytes;
    const at = this.#at;
    if (bytes[at] !== QUOTE) throw this.#fault(at, 'expected a key in double quotes');
    const end = this.#endOfString(at);
    const text = bytes.toString('utf8', at, end);
    this.#at = end;
    this.#space();
    if (bytes[this.#at] !== COLON) throw this.#fault(this.#at, 'expected ":"');
    this.#past();
    try {
      return JSON.parse(text) as string;
    } catch {
      throw this.#faultWithin(text, at);
    }
  }

  /** Skips one byte and the white space after it. */
  #past(): void {
    this.#at += 1;
    this.#space();
  }

  #space(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
    this.#at = at;
  }

  /** Returns the offset after the value at `from`: after its last bracket, its quote, or the token. */
  #endOfValue(from: number): number {
    this.#oddNumber = false;
    const first = this.#bytes[from];
    if (first === OPEN_OBJECT || first === OPEN_LIST) return this.#endOfBrackets(from);
    if (first === QUOTE) return this.#endOfString(from);
    return this.#endOfToken(from);
  }

  #endOfBrackets(from: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    let depth = 0;
    let last = from;
    for (let at = from; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        at = this.#endOfString(at) - 1;
        last = at;
      } else if (byte === COMMA || byte === COLON) {
        if (at - last > LONG_NUMBER) this.#oddNumber = true;
        last = at;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
        if (depth > DEEPEST) throw new JsonBytesFault(at, `it is nested more than ${DEEPEST} levels deep`);
        last = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (at - last > LONG_NUMBER) this.#oddNumber = true;
        last = at;
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if ((byte === 0x65 || byte === 0x45) && isDigit(bytes[at - 1])) {
        this.#oddNumber = true;
      }
    }
    throw this.#truncated(from);
  }

  /** Returns the offset after the string whose opening quote is at `open`. */
  #endOfString(open: number): number {
    const bytes = this.#bytes;
    const near = Math.min(bytes.length, open + NEAR);
    let at = open + 1;
    for (; at < near; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    return this.#endOfLongString(open, at);
  }

  /** Looks for the quote of a string natively. One behind an odd number of backslashes is part of the string. */
  #endOfLongString(open: number, from: number): number {
    const bytes = this.#bytes;
    for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
      let before = quote - 1;
      while (bytes[before] === BACKSLASH) before -= 1;
      if ((quote - before) % 2 === 1) return quote + 1;
    }
    throw this.#truncated(open);
  }

  #endOfToken(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    while (at < bytes.length && isTokenByte(bytes[at] as number)) at += 1;
    if (at === from) throw this.#fault(from, 'expected a value');
    this.#oddNumber = true;
    return at;
  }

  #fault(offset: number, expected: string): JsonBytesFault {
    const { length } = this.#bytes;
    return offset >= length
      ? new JsonBytesFault(length, 'the text ends too early')
      : new JsonBytesFault(offset, expected);
  }

  /** Returns the first fault of a value that has no end; usually the missing end. */
  #truncated(from: number): JsonBytesFault {
    const bytes = this.#bytes;
    const most = 64 * 1024 * 1024;
    if (bytes.length - from <= most) return this.#faultWithin(bytes.toString('utf8', from), from);
    return new JsonBytesFault(bytes.length, 'the text ends too early');
  }

  #faultWithin(text: string, from: number): JsonBytesFault {
    const fault = jsonFault(text);
    if (fault === undefined) return new JsonBytesFault(from, 'it is not readable as JSON');
    return new JsonBytesFault(from + Buffer.byteLength(text.slice(0, fault.offset)), fault.reason);
  }

  /** Finds the number that is out of range, if there is one. */
  #refuseInfinite(text: string, from: number): void {
    for (const token of text.matchAll(STRING_OR_NUMBER)) {
      if (token[0].startsWith('"') || Number.isFinite(Number(token[0]))) continue;
      const offset = from + Buffer.byteLength(text.slice(0, token.index));
      const shown = token[0].length > 40 ? `${token[0].slice(0, 40)}…` : token[0];
      throw new JsonBytesFault(offset, `the number ${shown} is out of range`);
    }
  }
}

/** Returns the value of a text that a cursor has read before. */
export function knownValue(text: string): Json {
  const value = JSON.parse(text) as Json;
  return hasLoneEscape(text) ? wellFormed(value) : value;
}

/** True if a text may have escapes of half surrogate pairs. Most texts have no such escapes at all. */
function hasLoneEscape(text: string): boolean {
  return text.includes('\\u') && LONE_ESCAPE.test(text);
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/gs;
const LONE_ESCAPE = /\\u[dD][89a-fA-F]/;

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

/** True for letters, digits and other characters of a number or a word. */
function isTokenByte(byte: number): boolean {
  return byte > 0x20 && byte !== COMMA && byte !== COLON && byte !== CLOSE_LIST && byte !== CLOSE_OBJECT;
}

const HALF_PAIR = /\p{Surrogate}/gu;

function withoutHalves(text: string): string {
  return text.replace(HALF_PAIR, '\ufffd');
}

/** Replaces half surrogate pairs by U+FFFD, as the format's other readers do. Only escapes can produce them. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return withoutHalves(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(wellFormed);
  const entries = Object.entries(value).map(([key, item]) => [withoutHalves(key), wellFormed(item)] as const);
  return Object.fromEntries(entries);
}

/** Returns line and column of a byte, both from 1; the column counts characters. */
export function lineAndColumnAt(
  bytes: Uint8Array,
  offset: number,
): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < offset; at = bytes.indexOf(0x0a, at + 1)) {
    line += 1;
    start = at + 1;
  }
  const before = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(offset - start, 1 << 20));
  return { line, column: before.toString('utf8').length + 1 };
}

/**
 * Returns the fault of the first character that is not UTF-8. If the end of the text cuts it, the text ends too early.
 */
function notUtf8(bytes: Buffer): JsonBytesFault {
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] as number;
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead >= 0xc2 && at + size > bytes.length) break;
    if (size > 1 && !isUtf8(bytes.subarray(at, at + size)))
      return new JsonBytesFault(at, 'it is not valid UTF-8');
    at += size;
  }
  return new JsonBytesFault(bytes.length, 'the text ends too early');
}
