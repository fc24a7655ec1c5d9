import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { SeenRequest, ServerFault } from './fault-script.js';
import { FaultScript } from './fault-script.js';

/** One whole request. `url` is parsed, with the server's own origin; `target` contains path and query as sent. */
export interface ServerRequest {
  readonly method: string;
  readonly url: URL;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The answer to one request. */
export interface ServerReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** `latency` is the delay of every answer in milliseconds, as in a network. */
export interface HttpServerOptions {
  readonly latency?: number;
}

/** A running server on a free port of the loopback address. `url` has no slash at its end. */
export interface HttpServer {
  readonly url: string;
  readonly faults: FaultScript;
  readonly requests: readonly SeenRequest[];
  /** Returns the number of bytes in the bodies of all answers. */
  sent(): number;
  /** Ends every connection and resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Serves whole requests with whole answers, applies the fault script to them and logs them. An error in the handler
 * becomes a 500 with its message, so that a mistake in a server shows in the test.
 */
export async function startHttpServer(
  handle: (request: ServerRequest) => ServerReply | Promise<ServerReply>,
  options: HttpServerOptions = {},
): Promise<HttpServer> {
  const faults = new FaultScript();
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  let sent = 0;
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    const seen = seenOf(incoming, body);
    const fault = faults.take(seen);
    requests.push(fault === undefined ? seen : { ...seen, fault });
    if (options.latency !== undefined) await wait(options.latency);
    if (fault?.delay !== undefined) await wait(fault.delay, undefined, { ref: false });
    if (fault?.hangUp === 'before') return void incoming.socket.destroy();
    const url = new URL(seen.target, `http://${incoming.headers.host ?? 'localhost'}`);
    const request = {
      method: seen.method,
      url,
      target: seen.target,
      headers: incoming.headers,
      body,
    };
    const reply =
      fault?.status === undefined ? await guarded(handle, request) : scripted(fault, fault.status);
    if (fault?.hangUp === 'after') return void incoming.socket.destroy();
    sent += Buffer.byteLength(reply.body ?? '');
    send(response, reply, seen.method, fault?.truncate);
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    sent: () => sent,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function seenOf(incoming: IncomingMessage, body: Buffer): SeenRequest {
  return {
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    headers: incoming.headers,
    bodySize: body.length,
  };
}

async function guarded(
  handle: (request: ServerRequest) => ServerReply | Promise<ServerReply>,
  request: ServerRequest,
): Promise<ServerReply> {
  try {
    return await handle(request);
  } catch (thrown) {
    return { status: 500, body: `test server: ${thrown instanceof Error ? thrown.stack : String(thrown)}` };
  }
}

function scripted(fault: ServerFault, status: number): ServerReply {
  return { status, headers: fault.headers ?? {}, body: fault.body ?? '' };
}

function send(
  response: ServerResponse,
  reply: ServerReply,
  method: string,
  truncate: number | undefined,
): void {
  const body = Buffer.from(reply.body ?? '');
  const bodiless = method === 'HEAD' || reply.status === 204 || reply.status === 304;
  const length = bodiless ? {} : { 'content-length': String(body.length) };
  response.writeHead(reply.status, { ...length, ...reply.headers });
  if (bodiless) return void response.end();
  if (truncate === undefined) return void response.end(body);
  response.write(body.subarray(0, truncate), () => response.socket?.destroy());
}
