import { constants } from 'node:http2';
import type { ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { messageOf } from '@cairn/diagnostics';
import { StatusError, isStatusError, statusNumber } from '../contracts/status.js';
import { parseAddress } from './address.js';
import type { MutualTls } from './address.js';
import type { CallOptions, Caller } from './caller.js';
import { MessageAssembler, frameMessage } from './framing.js';
import { Http2Session } from './http2-session.js';
import type { SessionStream } from './http2-session.js';
import { MessageQueue } from './message-queue.js';
import { DETAILS_KEY, headerOf, statusError } from './status-details.js';

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = constants;

/** Stream open in both directions. */
export interface DuplexCall {
  /** Sends one message. Returns false if the caller should pause until `onDrain`. */
  send(message: Uint8Array): boolean;
  onDrain(listener: () => void): void;
  /** Announces that no more messages follow. */
  end(): void;
  /** Sets if an answer is awaited; if not, the call does not keep the process alive. It starts busy. */
  setBusy(busy: boolean): void;
  cancel(): void;
}

/** Events of a call: messages, then exactly one end. `undefined` means success. */
interface CallListener {
  /** Called when the peer accepted the call; no message has been received yet. */
  onOpen?(): void;
  onMessage(message: Buffer): void;
  onEnd(error: StatusError | undefined): void;
}

/**
 * gRPC calls over Node's own HTTP/2: no dependency to load, and a third of the cost of a call through a general client.
 * No compression, no retries. The connection is opened at the first call, and again after it was lost. Not encrypted
 * unless certificates are given.
 */
export class Http2Caller implements Caller {
  readonly #session: Http2Session;

  /** `address` is `host:port` or `unix:<path>`. Throws RangeError for another form. */
  constructor(
    readonly address: string,
    tls?: MutualTls,
  ) {
    this.#session = new Http2Session(parseAddress(address, tls));
  }

  unary(path: string, body: Uint8Array, options: CallOptions = {}): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      let answer: Buffer | undefined;
      const call = this.open(path, options, {
        onMessage: (message) => {
          answer = message;
        },
        onEnd: (error) => {
          if (error !== undefined) reject(error);
          else if (answer === undefined)
            reject(new StatusError('INTERNAL', `${path} was answered without a message`));
          else resolve(answer);
        },
      });
      sendLast(call, body, reject);
    });
  }

  async *serverStream(path: string, body: Uint8Array, options: CallOptions = {}): AsyncGenerator<Uint8Array> {
    const queue = new MessageQueue<Buffer>();
    const call = this.open(path, options, {
      onMessage: (message) => queue.push(message),
      onEnd: (error) => queue.end(error),
    });
    sendLast(call, body, (error) => queue.end(error));
    try {
      yield* queue;
    } finally {
      call.cancel();
    }
  }

  /** Opens a call in both directions. */
  open(path: string, options: CallOptions, listener: CallListener): DuplexCall {
    const opened = this.#session.request(requestHeaders(path, options));
    if (opened === undefined) {
      queueMicrotask(() => listener.onEnd(new StatusError('UNAVAILABLE', 'the connection is closed')));
      return { send: () => true, onDrain: () => {}, end: () => {}, setBusy: () => {}, cancel: () => {} };
    }
    return new StreamCall(opened, this.address, listener, options.signal);
  }

  close(): void {
    this.#session.close();
  }
}

function sendLast(call: DuplexCall, body: Uint8Array, onError: (error: Error) => void): void {
  try {
    call.send(body);
    call.end();
  } catch (error) {
    call.cancel();
    onError(error as Error);
  }
}

function requestHeaders(path: string, options: CallOptions): OutgoingHttpHeaders {
  return {
    ':path': path,
    te: 'trailers',
    'content-type': 'application/grpc',
    'user-agent': 'cairn-grpc/1',
    ...options.metadata,
  };
}

/** One call on its HTTP/2 stream. Collects the signs of how it ended and reports the end once. */
class StreamCall implements DuplexCall {
  readonly #assembler = new MessageAssembler();
  #status: StatusError | 'ok' | undefined;
  #failure: Error | undefined;
  /** True if this side cancelled the call. */
  #cancelled = false;
  readonly #abort = () => this.cancel();
  readonly #stream: ClientHttp2Stream;
  readonly #opened: SessionStream;
  readonly #address: string;
  readonly #listener: CallListener;
  readonly #signal: AbortSignal | undefined;

  constructor(
    opened: SessionStream,
    address: string,
    listener: CallListener,
    signal: AbortSignal | undefined,
  ) {
    this.#opened = opened;
    this.#address = address;
    this.#listener = listener;
    this.#signal = signal;
    const { stream } = opened;
    this.#stream = stream;
    stream.on('response', (headers) => this.#onHeaders(headers));
    stream.on('trailers', (trailers) => this.#onStatus(trailers));
    stream.on('data', (chunk: Buffer) => this.#onData(chunk));
    stream.on('error', (error) => {
      this.#failure ??= error;
    });
    stream.on('close', () => this.#onClose());
    if (signal?.aborted === true) this.cancel();
    else signal?.addEventListener('abort', this.#abort, { once: true });
  }

  send(message: Uint8Array): boolean {
    if (this.#stream.closed || this.#stream.destroyed) return true;
    return this.#stream.write(frameMessage(message));
  }

  onDrain(listener: () => void): void {
    this.#stream.once('drain', listener);
  }

  end(): void {
    this.#stream.end();
  }

  setBusy(busy: boolean): void {
    this.#opened.setBusy(busy);
  }

  cancel(): void {
    if (this.#stream.closed) return;
    this.#cancelled = true;
    this.#stream.close(NGHTTP2_CANCEL);
  }

  #onHeaders(headers: IncomingHttpHeaders & { ':status'?: number | undefined }): void {
    if (headers['grpc-status'] !== undefined) {
      this.#onStatus(headers);
    } else if (headers[':status'] !== 200 || !headers['content-type']?.startsWith('application/grpc')) {
      const text = `the peer at ${this.#address} does not speak gRPC (HTTP status ${headers[':status']})`;
      this.#fail(new StatusError('UNAVAILABLE', text));
    } else {
      this.#listener.onOpen?.();
    }
  }

  #onStatus(headers: IncomingHttpHeaders): void {
    if (this.#status !== undefined) return;
    // The call is over, even if not all was sent.
    if (!this.#stream.writableEnded) this.#stream.end();
    const code = Number(headers['grpc-status'] ?? statusNumber('UNKNOWN'));
    if (code === 0) {
      this.#status = 'ok';
      return;
    }
    const details = headerOf(headers, DETAILS_KEY);
    this.#status = statusError({
      code,
      message: percentDecoded(headerOf(headers, 'grpc-message') ?? ''),
      details: details === undefined ? new Uint8Array() : Buffer.from(details, 'base64'),
    });
  }

  #onData(chunk: Buffer): void {
    try {
      this.#assembler.push(chunk, (message) => this.#listener.onMessage(message));
    } catch (error) {
      this.#fail(
        isStatusError(error) ? error : new StatusError('INTERNAL', messageOf(error), { cause: error }),
      );
    }
  }

  #fail(error: StatusError): void {
    this.#status ??= error;
    this.cancel();
  }

  #onClose(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    const status = this.#status;
    if (status === 'ok') {
      this.#listener.onEnd(
        this.#assembler.partial ? new StatusError('INTERNAL', 'the answer ends in a message') : undefined,
      );
    } else {
      this.#listener.onEnd(status ?? this.#lost());
    }
  }

  /**
   * Returns the error for a stream that ended without a status. When a connection ends, its streams look as if the peer
   * had reset each of them. Only a stream whose connection still exists was really reset.
   */
  #lost(): StatusError {
    const failure = this.#failure;
    const { rstCode } = this.#stream;
    const reset = rstCode !== 0 && rstCode !== NGHTTP2_REFUSED_STREAM && this.#opened.isConnected();
    if (this.#cancelled || this.#signal?.aborted === true || (reset && rstCode === NGHTTP2_CANCEL))
      return cancelledCall();
    const text = failure?.message ?? 'the connection was lost';
    if (reset) return new StatusError('INTERNAL', text, { cause: failure });
    return new StatusError('UNAVAILABLE', `${this.#address}: ${text}`, { cause: failure });
  }
}

/** Returns the error of a call that its caller has cancelled. */
export function cancelledCall(): StatusError {
  return new StatusError('CANCELLED', 'the call was cancelled');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
