import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { StatusError } from '../contracts/status.js';
import { MessageAssembler, frameMessage } from './framing.js';
import { openListener } from './listener.js';
import type { ListenOptions, RunningServer } from './listener.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';
import { DETAILS_KEY, TRAILER_DETAIL_BYTES, endStatus, headerOf } from './status-details.js';
import { STREAM_PATH, serveFrames } from './stream-server.js';

/** Options of a server. */
interface ServerOptions extends ListenOptions {
  readonly services: readonly Service[];
  /** Also accept calls over one stream (proto/cairn/stream.proto). */
  readonly stream?: boolean | undefined;
}

/** Serves a call from its headers on. The body of its request has not been read. */
type Handler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

const CONTENT_TYPE = 'application/grpc';

/**
 * Listens and serves gRPC until closed, over Node's own HTTP/2. It loads nothing else. Rejects if the address cannot be
 * bound.
 */
export function startServer({ services, stream, ...options }: ServerOptions): Promise<RunningServer> {
  const unary = new Map(services.flatMap((service) => [...service.unary]));
  const handlers = new Map<string, Handler>([
    ...[...unary].map(([path, handler]) => [path, withMessage(path, answering(handler))] as const),
    ...services.flatMap(({ streams }) =>
      [...streams].map(([path, handler]) => [path, withMessage(path, streaming(handler))] as const),
    ),
    ...(stream === true ? [[STREAM_PATH, framed(unary)] as const] : []),
  ]);
  return openListener(options, (call, headers) => {
    const path = String(headers[':path']);
    const handler = handlers.get(path);
    call.on('error', () => {});
    // Answered at once: a caller that opens a stream in both directions ends its own side after the answer.
    if (handler === undefined) fail(call, new StatusError('UNIMPLEMENTED', `there is no method ${path}`));
    else handler(call, headers);
  });
}

/** Sends the answer to one message. Rejects with the failure of the call. */
type Answer = (stream: ServerHttp2Stream, body: Uint8Array, context: CallContext) => Promise<void>;

/** Returns a handler that calls another when the request's one message is complete. */
function withMessage(path: string, answer: Answer): Handler {
  return (stream, headers) => {
    let body: Uint8Array | undefined;
    let failure: unknown;
    readMessages(
      stream,
      (message) => (body = message),
      (thrown) => (failure = thrown),
    );
    stream.on('end', () => {
      if (failure === undefined && body === undefined)
        failure = new StatusError('INVALID_ARGUMENT', `${path} was called without a message`);
      if (body === undefined || failure !== undefined) fail(stream, failure);
      else answer(stream, body, contextOf(stream, headers)).catch((thrown: unknown) => fail(stream, thrown));
    });
  };
}

/** Passes on each message of a request. After a failure, which is reported once, the remaining messages are skipped. */
function readMessages(
  stream: ServerHttp2Stream,
  onMessage: (message: Uint8Array) => void,
  onFailure: (thrown: unknown) => void,
): void {
  const assembler = new MessageAssembler();
  let failed = false;
  stream.on('data', (chunk: Buffer) => {
    if (failed) return;
    try {
      assembler.push(chunk, onMessage);
    } catch (thrown) {
      failed = true;
      onFailure(thrown);
    }
  });
}

const answering =
  (handler: UnaryHandler): Answer =>
  async (stream, body, context) => {
    const message = frameMessage(await handler(body, context));
    if (begin(stream)) stream.end(message);
  };

const streaming =
  (handler: StreamHandler): Answer =>
  async (stream, body, context) => {
    let begun = false;
    for await (const message of handler(body, context)) {
      begun ||= begin(stream);
      if (!begun || stream.destroyed) return;
      if (!stream.write(frameMessage(message))) await drained(stream);
    }
    if (begun || begin(stream)) stream.end();
  };

function drained(stream: ServerHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** Returns a handler of framed calls, which a stream in both directions carries. */
function framed(handlers: ReadonlyMap<string, UnaryHandler>): Handler {
  return (stream) => {
    // Reports to the client that the stream is offered, before there is an answer to send.
    begin(stream);
    const frames = serveFrames(handlers, {
      send: (bytes) => stream.write(frameMessage(bytes)),
      onDrain: (listener) => stream.once('drain', listener),
    });
    readMessages(
      stream,
      (message) => frames.receive(message),
      (thrown) => {
        frames.abort();
        fail(stream, thrown);
      },
    );
    stream.on('end', () => frames.finish(() => stream.end()));
    stream.on('close', () => frames.abort());
  };
}

/** Announces an answer. Returns false if the caller no longer waits for it. */
function begin(stream: ServerHttp2Stream): boolean {
  if (stream.closed || stream.destroyed) return false;
  stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  return true;
}

function fail(stream: ServerHttp2Stream, thrown: unknown): void {
  if (stream.closed || stream.destroyed) return;
  const { code, message, details } = endStatus(thrown, TRAILER_DETAIL_BYTES);
  const end = {
    'grpc-status': String(code),
    'grpc-message': percentEncoded(message),
    ...(details.length > 0 && { [DETAILS_KEY]: Buffer.from(details).toString('base64') }),
  };
  if (stream.headersSent) {
    stream.removeAllListeners('wantTrailers');
    stream.once('wantTrailers', () => stream.sendTrailers(end));
    stream.end();
  } else stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE, ...end }, { endStream: true });
}

/** Encodes everything but printable ASCII as UTF-8 bytes in `%XX`, as gRPC requires. */
function percentEncoded(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/g, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Returns the context of a call. The signal is created only for handlers that read it. */
function contextOf(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): CallContext {
  let controller: AbortController | undefined;
  return {
    metadata: (name) => headerOf(headers, name),
    get signal() {
      if (controller === undefined) {
        const made = (controller = new AbortController());
        const stop = () => {
          if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) made.abort();
        };
        if (stream.closed) stop();
        else stream.once('close', stop);
      }
      return controller.signal;
    },
  };
}
