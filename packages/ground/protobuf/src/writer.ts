import { writeShortAscii } from './text.js';

const FIRST_SIZE = 512;

/**
 * Writes protobuf fields one after the other, with the methods that generated code expects of a writer. Nested messages
 * are written in place: one byte is reserved for their length, and they are moved if it needs more.
 */
export class BinaryWriter {
  #buffer = Buffer.allocUnsafe(FIRST_SIZE);
  #at = 0;
  readonly #starts: number[] = [];

  /** Returns the encoded message. The writer must not be used again. */
  finish(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  /** Starts a nested message; its tag has been written. */
  fork(): this {
    this.#room(1);
    this.#starts.push(++this.#at);
    return this;
  }

  /** Ends the nested message that was started last. */
  join(): this {
    const start = this.#starts.pop() as number;
    const length = this.#at - start;
    const extra = varintSize(length) - 1;
    if (extra > 0) {
      this.#room(extra);
      this.#buffer.copyWithin(start + extra, start, this.#at);
      this.#at += extra;
    }
    this.#varint(start - 1, length);
    return this;
  }

  uint32(value: number): this {
    this.#room(5);
    this.#at = this.#varint(this.#at, value >>> 0);
    return this;
  }

  int32(value: number): this {
    return value < 0 ? this.int64(value) : this.uint32(value);
  }

  /** A signed varint of up to 64 bits. Throws RangeError for a number that is not an integer. */
  int64(value: number | bigint | string): this {
    this.#room(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 127n) {
      this.#buffer[this.#at++] = Number(rest & 127n) | 128;
      rest >>= 7n;
    }
    this.#buffer[this.#at++] = Number(rest);
    return this;
  }

  bool(value: boolean): this {
    this.#room(1);
    this.#buffer[this.#at++] = value ? 1 : 0;
    return this;
  }

  double(value: number): this {
    this.#room(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#room(value.length + 5);
    this.#at = this.#varint(this.#at, value.length);
    this.#buffer.set(value, this.#at);
    this.#at += value.length;
    return this;
  }

  string(value: string): this {
    const { length } = value;
    this.#room(length + 5);
    if (length < 128 && writeShortAscii(this.#buffer, value, this.#at + 1)) {
      this.#buffer[this.#at] = length;
      this.#at += length + 1;
      return this;
    }
    const size = Buffer.byteLength(value);
    this.#room(size + 5);
    this.#at = this.#varint(this.#at, size);
    this.#at += this.#buffer.write(value, this.#at, 'utf8');
    return this;
  }

  #varint(at: number, value: number): number {
    const buffer = this.#buffer;
    let rest = value;
    while (rest > 127) {
      buffer[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    buffer[at++] = rest;
    return at;
  }

  #room(size: number): void {
    const needed = this.#at + size;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
  }
}

/** Returns the number of bytes that a varint of this value takes. */
export function varintSize(value: number): number {
  if (value < 0x80) return 1;
  if (value < 0x4000) return 2;
  if (value < 0x20_0000) return 3;
  if (value < 0x1000_0000) return 4;
  return 5;
}
