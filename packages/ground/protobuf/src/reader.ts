import { MalformedMessageError, truncated } from './malformed.js';
import { TextCache } from './text-cache.js';
import { asBuffer } from './text.js';

/** Texts of fields: types, references and other names repeat. */
const texts = new TextCache(4096, 160);

/**
 * Reads protobuf fields one after the other, with the methods that generated code expects of a reader. Reading past the
 * end throws {@link MalformedMessageError}. `bytes` returns views into the input, not copies.
 */
export class BinaryReader {
  readonly buf: Buffer;
  readonly len: number;
  pos = 0;
  /** Nesting depth of the current message. Generated code keeps it here. */
  __tsProtoDecodeDepth = 0;

  constructor(bytes: Uint8Array) {
    this.buf = asBuffer(bytes);
    this.len = bytes.length;
  }

  /** A varint; bits above the 32nd are dropped. */
  uint32(): number {
    if (this.pos >= this.len) truncated();
    const { buf } = this;
    let byte = buf[this.pos++] as number;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let shift = 7; ; shift += 7) {
      if (this.pos >= this.len) truncated();
      byte = buf[this.pos++] as number;
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      if (shift > 63) throw new MalformedMessageError('a varint is longer than ten bytes');
    }
  }

  int32(): number {
    return this.uint32() | 0;
  }

  /** A signed varint of up to 64 bits. */
  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.pos >= this.len) truncated();
      const byte = this.buf[this.pos++] as number;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asIntN(64, value);
    }
    throw new MalformedMessageError('a varint is longer than ten bytes');
  }

  bool(): boolean {
    if (this.pos < this.len && (this.buf[this.pos] as number) < 128) return this.buf[this.pos++] !== 0;
    return this.int64() !== 0n;
  }

  double(): number {
    const at = this.#advance(8);
    return this.buf.readDoubleLE(at);
  }

  bytes(): Uint8Array {
    const length = this.uint32();
    const at = this.#advance(length);
    return this.buf.subarray(at, at + length);
  }

  string(): string {
    const length = this.uint32();
    const at = this.#advance(length);
    return texts.read(this.buf, at, at + length);
  }

  /** Skips a field of the given wire type. */
  skip(wireType: number): void {
    switch (wireType) {
      case 0:
        this.int64();
        return;
      case 1:
        this.#advance(8);
        return;
      case 2:
        this.#advance(this.uint32());
        return;
      case 5:
        this.#advance(4);
        return;
      default:
        throw new MalformedMessageError(`wire type ${wireType} is not in use`);
    }
  }

  #advance(length: number): number {
    const at = this.pos;
    this.pos = at + length;
    if (this.pos > this.len) truncated();
    return at;
  }
}
