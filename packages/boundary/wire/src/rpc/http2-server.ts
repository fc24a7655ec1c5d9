import { constants } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { StatusError } from '../contracts/status.js';
import { MessageAssembler, frameMessage } from './framing.js';
import type { RunningServer } from './grpc-server.js';
import { listenHttp2 } from './http2-listener.js';
import type { Http2ServerOptions } from './http2-listener.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';
import { DETAILS_KEY, TRAILER_DETAIL_BYTES, endStatus } from './status-details.js';

const CONTENT_TYPE = 'application/grpc';

type Handler = (stream: ServerHttp2Stream, body: Uint8Array, context: CallContext) => Promise<void>;

/**
 * Serves methods that take one message, over Node's own HTTP/2. It loads nothing else: for programs that receive few
 * callbacks and for processes that start often. Listens on a free loopback port unless `options` has another address.
 * Rejects if the address cannot be bound.
 */
export function startHttp2Server(
  services: readonly Service[],
  options: Http2ServerOptions = {},
): Promise<RunningServer> {
  const handlers = new Map<string, Handler>(
    services.flatMap((service) => [
      ...[...service.unary].map(([path, handler]) => [path, answering(handler)] as const),
      ...[...service.streams].map(([path, handler]) => [path, streaming(handler)] as const),
    ]),
  );
  return listenHttp2(options, (stream, headers) => serveStream(handlers, stream, headers));
}

function serveStream(
  handlers: ReadonlyMap<string, Handler>,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const path = String(headers[':path']);
  const handler = handlers.get(path);
  stream.on('error', () => {});
  if (handler === undefined) {
    // Answered at once: a caller that opens a stream in both directions ends its own side after the answer.
    fail(stream, new StatusError('UNIMPLEMENTED', `there is no method ${path}`));
    return;
  }
  const assembler = new MessageAssembler();
  let body: Uint8Array | undefined;
  let failure: unknown;
  stream.on('data', (chunk: Buffer) => {
    try {
      assembler.push(chunk, (message) => (body = message));
    } catch (thrown) {
      failure ??= thrown;
    }
  });
  stream.on('end', () => {
    if (failure === undefined && body === undefined)
      failure = new StatusError('INVALID_ARGUMENT', `${path} was called without a message`);
    if (body === undefined || failure !== undefined) fail(stream, failure);
    else handler(stream, body, contextOf(stream, headers)).catch((thrown: unknown) => fail(stream, thrown));
  });
}

const answering =
  (handler: UnaryHandler): Handler =>
  async (stream, body, context) => {
    const message = frameMessage(await handler(body, context));
    if (!begin(stream)) return;
    stream.end(message);
  };

const streaming =
  (handler: StreamHandler): Handler =>
  async (stream, body, context) => {
    let begun = false;
    for await (const message of handler(body, context)) {
      begun ||= begin(stream);
      if (!begun || stream.destroyed) return;
      stream.write(frameMessage(message));
    }
    if (begun || begin(stream)) stream.end();
  };

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
    metadata: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
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
