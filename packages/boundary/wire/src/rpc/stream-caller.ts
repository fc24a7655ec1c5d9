import { StatusError, isStatusError } from '../contracts/status.js';
import { Frames } from '../generated/cairn/stream.js';
import type { CallOptions, Caller } from './caller.js';
import { EMPTY_FRAME, FrameQueue, fitsFrame } from './frame-queue.js';
import { Http2Caller, cancelledCall } from './http2-caller.js';
import type { DuplexCall } from './http2-caller.js';
import { statusError } from './status-details.js';
import { STREAM_PATH } from './stream-server.js';

interface PendingCall {
  /** Request to send again if the peer has no stream. Undefined once the peer is known to have one. */
  readonly again: { readonly path: string; readonly body: Uint8Array } | undefined;
  readonly options: CallOptions;
  readonly resolve: (body: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly stopListening: (() => void) | undefined;
}

/** Open stream and the calls on it. */
interface OpenStream {
  readonly call: DuplexCall;
  readonly queue: FrameQueue;
  readonly pending: Map<number, PendingCall>;
}

/**
 * Sends unary calls over one stream of the same connection if the peer offers that (proto/cairn/stream.proto),
 * otherwise as ordinary unary calls. The first calls use the stream. If the peer answers UNIMPLEMENTED, no handler has
 * seen them, and they are sent again one by one. Calls with metadata are always unary. The first call opens the stream;
 * the next one opens it again if it was lost. While no answer is awaited the stream does not keep the process alive.
 */
export class StreamCaller implements Caller {
  readonly #connection: Http2Caller;
  #stream: OpenStream | undefined;
  #offered: boolean | undefined;
  #nextId = 1;

  constructor(address: string) {
    this.#connection = new Http2Caller(address);
  }

  /** True if the peer offers the stream. Undefined before the first answer. */
  get usesStream(): boolean | undefined {
    return this.#offered;
  }

  unary(path: string, body: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    if (this.#offered === false || options.metadata !== undefined || !fitsFrame(body)) {
      return this.#connection.unary(path, body, options);
    }
    return new Promise((resolve, reject) => this.#start(path, body, options, resolve, reject));
  }

  serverStream(path: string, body: Uint8Array, options?: CallOptions): AsyncIterable<Uint8Array> {
    return this.#connection.serverStream(path, body, options);
  }

  close(): void {
    this.#connection.close();
  }

  #start(
    path: string,
    body: Uint8Array,
    options: CallOptions,
    resolve: (body: Uint8Array) => void,
    reject: (error: Error) => void,
  ): void {
    const { signal } = options;
    if (signal?.aborted === true) {
      reject(cancelledCall());
      return;
    }
    const stream = (this.#stream ??= this.#open());
    const id = this.#nextId++;
    const stopListening = signal === undefined ? undefined : this.#listen(signal, stream, id);
    if (stream.pending.size === 0) stream.call.setBusy(true);
    const again = this.#offered === true ? undefined : { path, body };
    stream.pending.set(id, { again, options, resolve, reject, stopListening });
    stream.queue.push({ ...EMPTY_FRAME, id, method: path, body });
  }

  #listen(signal: AbortSignal, stream: OpenStream, id: number): () => void {
    const abort = (): void => this.#cancel(stream, id);
    signal.addEventListener('abort', abort, { once: true });
    return () => signal.removeEventListener('abort', abort);
  }

  #open(): OpenStream {
    const pending = new Map<number, PendingCall>();
    const call = this.#connection.open(
      STREAM_PATH,
      {},
      {
        onOpen: () => {
          this.#offered = true;
        },
        onMessage: (message) => this.#receive(stream, message),
        onEnd: (error) => this.#ended(stream, error),
      },
    );
    const stream: OpenStream = { call, pending, queue: new FrameQueue(call) };
    return stream;
  }

  #receive(stream: OpenStream, message: Uint8Array): void {
    for (const frame of Frames.decode(message).frames) {
      const call = take(stream, frame.id);
      if (call === undefined) continue;
      if (frame.status === 0) call.resolve(frame.body);
      else call.reject(statusError({ ...frame, code: frame.status }));
    }
    if (stream.pending.size === 0) stream.call.setBusy(false);
  }

  #cancel(stream: OpenStream, id: number): void {
    const call = take(stream, id);
    if (call === undefined) return;
    stream.queue.push({ ...EMPTY_FRAME, id, cancel: true });
    call.reject(cancelledCall());
    if (stream.pending.size === 0) stream.call.setBusy(false);
  }

  #ended(stream: OpenStream, error: StatusError | undefined): void {
    if (this.#stream === stream) this.#stream = undefined;
    const calls = [...stream.pending.values()];
    stream.pending.clear();
    if (this.#offered === undefined && isStatusError(error, 'UNIMPLEMENTED')) this.#offered = false;
    for (const call of calls) {
      call.stopListening?.();
      if (this.#offered === false && call.again !== undefined) {
        const { path, body } = call.again;
        this.#connection.unary(path, body, call.options).then(call.resolve, call.reject);
      } else {
        call.reject(error ?? new StatusError('UNAVAILABLE', 'the stream ended'));
      }
    }
  }
}

function take(stream: OpenStream, id: number): PendingCall | undefined {
  const call = stream.pending.get(id);
  if (call === undefined) return undefined;
  stream.pending.delete(id);
  call.stopListening?.();
  return call;
}
