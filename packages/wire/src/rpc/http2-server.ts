import { constants, createSecureServer, createServer } from 'node:http2';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createSocketServer } from 'node:net';
import type { Socket } from 'node:net';
import { StatusError } from '../contracts/status.js';
import { splitHostPort } from './address.js';
import { MessageAssembler, frameMessage } from './framing.js';
import type { RunningServer } from './grpc-server.js';
import { listenGuarded } from './peers/guarded-listener.js';
import { sameUserGuard } from './peers/peer-guard.js';
import type { CallContext, Service, StreamHandler, UnaryHandler } from './service.js';
import { DETAILS_KEY, TRAILER_DETAIL_BYTES, endStatus } from './status-details.js';

const CONTENT_TYPE = 'application/grpc';
const SESSION_MEMORY_MB = 1024;
const WINDOW_BYTES = 4 * 1024 * 1024;

type Handler = (stream: ServerHttp2Stream, body: Uint8Array, context: CallContext) => Promise<void>;

/** Both ends prove who they are: each trusts exactly the certificate that it was told of. All in PEM. */
export interface MutualServerTls {
  readonly certificate: string;
  readonly key: string;
  /** The only certificate that is taken from a client. */
  readonly clientCertificate: string;
}

/** Where and how a server listens. */
export interface Http2ServerOptions {
  /** `host:port` or `unix:<path>`; the default is a free port on 127.0.0.1. */
  readonly address?: string | undefined;
  /** Without it connections are not encrypted. */
  readonly tls?: MutualServerTls | undefined;
  /** Whether listening and connections keep the process alive. */
  readonly keepsAlive?: boolean | undefined;
}

/**
 * Serves methods that are asked one message, over Node's own HTTP/2: nothing to load. At a port only processes of our
 * own user are let in, where that can be told. Rejects when the address cannot be bound.
 */
export async function startHttp2Server(
  services: readonly Service[],
  { address = '127.0.0.1:0', tls, keepsAlive = false }: Http2ServerOptions = {},
): Promise<RunningServer> {
  const handlers = new Map<string, Handler>(
    services.flatMap((service) => [
      ...[...service.unary].map(([path, handler]) => [path, answering(handler)] as const),
      ...[...service.streams].map(([path, handler]) => [path, streaming(handler)] as const),
    ]),
  );
  const sessions = new Set<ServerHttp2Session>();
  const server = http2Server(tls);
  server.on('session', (session) => {
    if (!keepsAlive) session.unref();
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Streams hear of it; without a listener it would be thrown.
    session.on('error', () => {});
  });
  server.on('stream', (stream, headers) => serveStream(handlers, stream, headers));
  const listener = await listen(address, (socket) => server.emit('connection', socket));
  if (!keepsAlive) listener.unref();
  return {
    address: listener.address,
    port: listener.port,
    close: async () => {
      listener.close();
      for (const session of sessions) session.destroy();
    },
  };
}

function http2Server(tls: MutualServerTls | undefined): Http2Server {
  const limits = { maxSessionMemory: SESSION_MEMORY_MB, settings: { initialWindowSize: WINDOW_BYTES } };
  if (tls === undefined) return createServer(limits);
  const { certificate: cert, key, clientCertificate: ca } = tls;
  const secure = {
    cert,
    key,
    ca,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  } as const;
  return createSecureServer({ ...limits, ...secure }).on('tlsClientError', () => {});
}

async function listen(address: string, admit: (socket: Socket) => void) {
  if (!address.startsWith('unix:')) {
    const listener = await listenGuarded(splitHostPort(address), sameUserGuard(), admit);
    return { address: `${listener.host}:${listener.port}`, ...listener };
  }
  const server = createSocketServer(admit);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.slice('unix:'.length), resolve);
  });
  return { address, port: 0, close: () => void server.close(), unref: () => void server.unref() };
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
    // At once: a caller that asks for a stream of both sides ends its own when it is answered.
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

/** Says that an answer comes. False: nobody waits for it. */
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

/** Everything but printable ASCII as UTF-8 bytes in `%XX`, as gRPC wants it. */
function percentEncoded(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/g, (run) =>
    [...Buffer.from(run)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** The signal is made only for handlers that ask for it. */
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
