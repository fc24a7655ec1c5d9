/** Bytes of a number or a word. */
const SHORT_ROOM = 32;
/** Length up to which a text is copied in a loop, which is faster than a call into the runtime. */
const SHORT_TEXT = 64;
/** Depth below which `JSON.stringify` takes over, because the call stack is limited. */
const DEEP = 200;
/** Integers below this are written digit by digit. */
const MANY = 1_000_000_000;
/** Texts that JSON contains as they are, in one byte a character. */
const PLAIN = /^[ !#-[\]-~]*$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const DIGIT = 0x30;
const SPACE = 0x20;
const HEX = '0123456789abcdef';

/**
 * Collects JSON as bytes: those of `JSON.stringify` in UTF-8. It makes no text of the whole, which would be made twice,
 * once in parts and once to be copied.
 */
export class JsonBytes {
  #bytes: Buffer;
  #at = 0;

  /** `room` is the number of bytes to allocate at first. */
  constructor(room: number) {
    this.#bytes = Buffer.allocUnsafe(room);
  }

  /** Number of bytes so far. */
  get length(): number {
    return this.#at;
  }

  /** Returns the bytes from `start` on, which are not copied. */
  from(start: number): Buffer {
    return this.#bytes.subarray(start, this.#at);
  }

  /** Leaves room for text that is written by {@link hexAt}. */
  skip(length: number): void {
    this.#need(length);
    this.#at += length;
  }

  /** Writes 8 hex digits and a space into the room that was left at `start`. */
  hexAt(start: number, value: number): void {
    for (let digit = 0; digit < 8; digit++)
      this.#bytes[start + digit] = HEX.charCodeAt((value >>> (28 - 4 * digit)) & 15);
    this.#bytes[start + 8] = SPACE;
  }

  byte(byte: number): void {
    this.#need(1);
    this.#bytes[this.#at++] = byte;
  }

  /** Adds a value. */
  value(value: unknown, depth = 0): void {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#number(value);
      case 'object':
        if (value === null) return this.#word('null');
        if (depth > DEEP || !isPlain(value)) return this.#any(value);
        return Array.isArray(value) ? this.#list(value, depth + 1) : this.#object(value, depth + 1);
      default:
        return this.#any(value);
    }
  }

  #list(items: readonly unknown[], depth: number): void {
    this.byte(0x5b);
    for (let index = 0; index < items.length; index++) {
      if (index > 0) this.byte(COMMA);
      this.value(items[index], depth);
    }
    this.byte(0x5d);
  }

  #object(object: object, depth: number): void {
    const members = object as { readonly [key: string]: unknown };
    this.byte(0x7b);
    const start = this.#at;
    // Without a prototype, the loop over the object itself takes five times as long as one over a list of its keys.
    if (Object.getPrototypeOf(object) !== null)
      for (const key in object) this.#member(start, key, members[key], depth);
    else for (const key of Object.keys(object)) this.#member(start, key, members[key], depth);
    this.byte(0x7d);
  }

  /** Adds a member of the object that begins at `start`, unless its value has no text. */
  #member(start: number, key: string, value: unknown, depth: number): void {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return;
    if (this.#at > start) this.byte(COMMA);
    this.#text(key);
    this.byte(COLON);
    this.value(value, depth);
  }

  #text(text: string): void {
    const { length } = text;
    this.#need(length + 2);
    if (length > SHORT_TEXT) {
      if (!PLAIN.test(text)) return this.#any(text);
      this.#bytes[this.#at++] = QUOTE;
      this.#at += this.#bytes.write(text, this.#at, 'latin1');
      this.#bytes[this.#at++] = QUOTE;
      return;
    }
    let at = this.#at;
    this.#bytes[at++] = QUOTE;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) return this.#any(text);
      this.#bytes[at++] = code;
    }
    this.#bytes[at++] = QUOTE;
    this.#at = at;
  }

  #number(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= MANY) return this.#any(value);
    this.#need(SHORT_ROOM);
    let end = this.#at + 1;
    for (let rest = value; rest >= 10; rest = Math.trunc(rest / 10)) end += 1;
    let rest = value;
    for (let at = end - 1; at >= this.#at; at--) {
      this.#bytes[at] = DIGIT + (rest % 10);
      rest = Math.trunc(rest / 10);
    }
    this.#at = end;
  }

  #word(word: string): void {
    this.#need(SHORT_ROOM);
    this.#at += this.#bytes.write(word, this.#at, 'latin1');
  }

  /** Adds the text of `JSON.stringify`, which is `null` in a list for a value without one. */
  #any(value: unknown): void {
    const text = (JSON.stringify(value) as string | undefined) ?? 'null';
    this.#need(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  #need(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(grown, 0, 0, this.#at);
    this.#bytes = grown;
  }
}

/** True for lists and for objects without a class, which have only the members that are written. */
function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
