import { StatusError } from '../contracts/status.js';
import { MAX_MESSAGE_BYTES } from './limits.js';

const PREFIX = 5;

/**
 * Adds the prefix that a message has on an HTTP/2 stream: not compressed, length. Throws {@link StatusError} if it is
 * too large.
 */
export function frameMessage(body: Uint8Array): Buffer {
  if (body.length > MAX_MESSAGE_BYTES) throw tooLarge(body.length);
  const framed = Buffer.allocUnsafe(PREFIX + body.length);
  framed[0] = 0;
  framed.writeUInt32BE(body.length, 1);
  framed.set(body, PREFIX);
  return framed;
}

/**
 * Assembles chunks of a stream into whole messages. `push` throws {@link StatusError} for a message that it cannot
 * accept.
 */
export class MessageAssembler {
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = PREFIX;

  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    let data = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#size);
    for (;;) {
      this.#needed = data.length < PREFIX ? PREFIX : PREFIX + messageLength(data);
      if (data.length < this.#needed) break;
      onMessage(data.subarray(PREFIX, this.#needed));
      data = data.subarray(this.#needed);
    }
    this.#chunks = data.length === 0 ? [] : [data];
    this.#size = data.length;
  }

  /** True if the bytes so far end in the middle of a message. */
  get partial(): boolean {
    return this.#size > 0;
  }
}

function messageLength(data: Buffer): number {
  if (data[0] !== 0) throw new StatusError('UNIMPLEMENTED', 'compressed messages are not supported');
  const length = data.readUInt32BE(1);
  if (length > MAX_MESSAGE_BYTES) throw tooLarge(length);
  return length;
}

function tooLarge(length: number): StatusError {
  return new StatusError(
    'RESOURCE_EXHAUSTED',
    `a message of ${length} bytes is larger than the limit of ${MAX_MESSAGE_BYTES} bytes`,
  );
}
