import { varintSize, writeShortAscii } from '@cairn/protobuf';

const FIRST_SIZE = 16 * 1024;
const KEPT_SIZE = 1024 * 1024;
const SHORT = 48;

/**
 * Growing buffer that is filled from its end to its front. Positions are counted in bytes written, which growing does
 * not change.
 */
export class BackwardBuffer {
  #buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
  #at = FIRST_SIZE;

  /** Number of bytes written so far. */
  get written(): number {
    return this.#buffer.length - this.#at;
  }

  /** Discards the content. A buffer that grew large is replaced. */
  reset(): void {
    if (this.#buffer.length > KEPT_SIZE) this.#buffer = Buffer.allocUnsafeSlow(FIRST_SIZE);
    this.#at = this.#buffer.length;
  }

  /** Returns a copy of the content, front to end. */
  copy(): Buffer {
    const copy = Buffer.allocUnsafe(this.written);
    this.#buffer.copy(copy, 0, this.#at);
    return copy;
  }

  byte(value: number): void {
    if (this.#at < 1) this.#grow(1);
    this.#buffer[--this.#at] = value;
  }

  double(value: number): void {
    if (this.#at < 8) this.#grow(8);
    this.#at -= 8;
    this.#buffer.writeDoubleLE(value, this.#at);
  }

  /** Writes a text as UTF-8, without a length. */
  text(value: string): void {
    const { length } = value;
    if (length <= SHORT) {
      if (this.#at < length) this.#grow(length);
      if (writeShortAscii(this.#buffer, value, this.#at - length)) {
        this.#at -= length;
        return;
      }
    }
    const size = Buffer.byteLength(value);
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    this.#buffer.write(value, this.#at, size, 'utf8');
  }

  /** Writes the number of bytes since `mark` as a varint. */
  length(mark: number): void {
    let rest = this.written - mark;
    const size = varintSize(rest);
    if (this.#at < size) this.#grow(size);
    this.#at -= size;
    let at = this.#at;
    const buffer = this.#buffer;
    while (rest > 127) {
      buffer[at++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    buffer[at] = rest;
  }

  #grow(size: number): void {
    const { written } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, written + size + 1024));
    this.#buffer.copy(larger, larger.length - written, this.#at);
    this.#buffer = larger;
    this.#at = larger.length - written;
  }
}
