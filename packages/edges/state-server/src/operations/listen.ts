import { STATUS_CODES, createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { cairnError, messageOf } from '@cairn/diagnostics';
import { errorBody } from '@cairn/http-api';
import type { ErrorStatus } from '@cairn/http-api';
import type { DirectAnswers } from '../routes/direct-routes.js';
import type { TlsFiles } from './tls-files.js';

/** Longest time that a graceful end waits for open requests. */
const END_MS = 30_000;
/** Time between two looks for connections whose last request is answered. */
const IDLE_LOOK_MS = 50;
/** Longest time that it waits for readers of streams. They connect again, and continue where they were. */
const END_STREAMS_MS = 1000;

/** Address to listen on. Port 0 is any free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Limits on clients that send slowly, in milliseconds. */
export interface SlowLimits {
  /** Time for the headers of a request. Defaults to 20 seconds. */
  readonly headersMs?: number;
  /** Time for a whole request. Defaults to 5 minutes. */
  readonly requestMs?: number;
  /** Time between two looks for requests that take too long. Defaults to 5 seconds. */
  readonly checkMs?: number;
  /** Time that a graceful end waits for open requests. Defaults to 30 seconds. */
  readonly endMs?: number;
}

/** Socket that listens. */
export interface Listener {
  /** Address with the port that was chosen. */
  readonly url: string;
  /** Stops accepting, waits at most 30 seconds for open requests, and then closes what is left. */
  close(): Promise<void>;
}

/** Options of a socket. */
interface ListenOptions {
  readonly tls?: TlsFiles | undefined;
  readonly slow?: SlowLimits | undefined;
  /** Answers some requests before they are made into those of the platform. */
  readonly direct?: DirectAnswers | undefined;
}

/** Listens on an address, with TLS if there are files for it. */
export async function listenOn(
  fetch: (request: Request, env: { readonly incoming: unknown }) => unknown,
  { host, port }: ListenAddress,
  { tls, slow = {}, direct }: ListenOptions,
): Promise<Listener> {
  const { headersMs = 20_000, requestMs = 300_000, checkMs = 5000, endMs = END_MS } = slow;
  const options: ServerOptions = {
    ...{ headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs },
    ...{ keepAliveTimeout: 65_000, insecureHTTPParser: false, requireHostHeader: false },
  };
  const streams = new StreamSockets();
  const answer = getRequestListener((request, env) => streams.noted(fetch(request, env), env.incoming), {
    hostname: host,
    errorHandler,
  });
  const listener: RequestListener = (request, response) => {
    if (request.headers.host === undefined) answerBroken(new Error('no host'), request.socket);
    else if (direct?.(request, response) !== true) void answer(request, response);
  };
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createTlsServer({ ...options, ...tls.current(), minVersion: 'TLSv1.2' }, listener);
  server.on('clientError', answerBroken);
  const listening = await bindServer(server, { host, port }, 'listen', endMs);
  const unwatch = tls?.watch((files) => (server as TlsServer).setSecureContext(files));
  return {
    url: tls === undefined ? listening.url : listening.url.replace(/^http:/, 'https:'),
    close: async () => {
      unwatch?.();
      const cut = setTimeout(() => streams.cut(), END_STREAMS_MS);
      await listening.close();
      clearTimeout(cut);
    },
  };
}

/** Binds a server to an address. `flag` is the one that named it, for the error if the address is not to be had. */
export async function bindServer(
  server: Server,
  { host, port }: ListenAddress,
  flag: 'listen' | 'metrics',
  endMs = END_MS,
): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.listen(port, host, resolve);
    server.once('error', (thrown) => {
      reject(
        cairnError('CAIRN-USAGE', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`, {
          hint: `Choose another address with --${flag}, or port 0 for any free port.`,
        }),
      );
    });
  });
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${address.port}`, close: () => closeServer(server, endMs) };
}

/** Sockets of streams of events. Their readers may have stopped to read without closing them. */
class StreamSockets {
  readonly #open = new Set<Socket>();

  /** Notes the socket of an answer that is a stream, and returns the answer. */
  noted(answer: unknown, incoming: unknown): unknown {
    if (answer instanceof Promise)
      void answer.then(
        (each) => this.#note(each, incoming),
        () => undefined,
      );
    else this.#note(answer, incoming);
    return answer;
  }

  /** Closes the sockets that are still open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #note(answer: unknown, incoming: unknown): void {
    if (!(answer instanceof Response)) return;
    if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return;
    const { socket } = incoming as IncomingMessage;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }
}

const STATUS_OF_FAULT: Readonly<Partial<Record<string, ErrorStatus>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/** Answers a request whose address, host or path cannot be. */
function errorHandler(): Response {
  return Response.json(errorBody(400, 'The request has no proper host and path.'), { status: 400 });
}

/** Answers bytes that are no request of HTTP, or come too slowly, as every other error. */
function answerBroken(fault: Error & { readonly code?: string }, socket: Socket): void {
  const { _httpMessage: open } = socket as Socket & {
    readonly _httpMessage?: { readonly headersSent: boolean };
  };
  if (fault.code === 'ECONNRESET' || !socket.writable || open?.headersSent === true)
    return void socket.destroy();
  const code = STATUS_OF_FAULT[fault.code ?? ''] ?? 400;
  const text = code === 408 ? 'The request took too long.' : 'The request is not HTTP.';
  const body = JSON.stringify(errorBody(code, text));
  const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}\r\n${head}\r\n\r\n${body}`, () =>
    socket.destroy(),
  );
}

async function closeServer(server: Server, endMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection whose request is answered meanwhile waits for another one.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const abort = new AbortController();
  await Promise.race([closed, pause(endMs, undefined, { signal: abort.signal }).catch(() => undefined)]);
  abort.abort();
  clearInterval(idle);
  server.closeAllConnections();
  await closed;
}
