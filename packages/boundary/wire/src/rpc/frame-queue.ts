import { Frames } from '../generated/cairn/stream.js';
import type { Frame } from '../generated/cairn/stream.js';
import { MAX_MESSAGE_BYTES } from './limits.js';

const BATCH_BYTES = 1024 * 1024;
/** Upper limit for a frame's bytes besides its body, details and the text of an error. */
const FRAME_BYTES = 256;

/** Sending side of a stream. `send` returns false if the caller should pause until `onDrain`. */
export interface FrameSink {
  send(message: Uint8Array): boolean;
  onDrain(listener: () => void): void;
}

/** Frame without fields, to be spread into a new one. */
export const EMPTY_FRAME: Frame = {
  id: 0,
  method: '',
  body: new Uint8Array(),
  status: 0,
  message: '',
  details: new Uint8Array(),
  cancel: false,
};

/** Decides if a body fits into a frame, whatever else is in the same message. */
export function fitsFrame(body: Uint8Array): boolean {
  return body.length <= MAX_MESSAGE_BYTES - 2 * BATCH_BYTES;
}

/**
 * Gathers the frames of one tick (everything that runs before the event loop continues) into messages. A message has
 * about a megabyte at most, but at least one frame. Waiting for a turn of the loop instead of a tick would delay a lone
 * call without gain.
 */
export class FrameQueue {
  readonly #waiting: Frame[] = [];
  #scheduled = false;
  #blocked = false;
  readonly #sink: FrameSink;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  push(frame: Frame): void {
    this.#waiting.push(frame);
    this.#schedule();
  }

  /** True if everything was passed to the stream. */
  get empty(): boolean {
    return this.#waiting.length === 0;
  }

  #schedule(): void {
    if (this.#scheduled || this.#blocked) return;
    this.#scheduled = true;
    process.nextTick(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (this.#waiting.length > 0 && !this.#blocked) {
      let count = 0;
      for (let size = 0; count < this.#waiting.length && (count === 0 || size < BATCH_BYTES); count++) {
        size += sizeOf(this.#waiting[count] as Frame);
      }
      const frames = this.#waiting.splice(0, count);
      if (!this.#sink.send(Frames.encode({ frames }).finish())) this.#block();
    }
  }

  #block(): void {
    this.#blocked = true;
    this.#sink.onDrain(() => {
      this.#blocked = false;
      if (!this.empty) this.#schedule();
    });
  }
}

function sizeOf({ body, details, message }: Frame): number {
  return FRAME_BYTES + body.length + details.length + message.length;
}
