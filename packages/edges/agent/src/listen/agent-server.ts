import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ForgeSettings } from '../config/agent-config.js';
import { readDelivery } from '../forges/deliveries.js';
import type { AgentMessage } from '../runs/messages.js';

/** Most bytes of a webhook. */
const MOST_BYTES = 5 << 20;
/** Most bytes that are read of one that is too large. Forges send at most 25 MB. */
const MOST_READ = 32 << 20;
/** Times that a client has for the headers and for the whole of a request, in milliseconds. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

/** Address to listen on. Port 0 is any free port. */
export interface ListenAt {
  readonly host: string;
  readonly port: number;
}

/** Parts that the server needs. */
interface ServerPorts {
  readonly forges: readonly ForgeSettings[];
  /** Value of a variable of the agent's environment. */
  readonly secretOf: (variable: string) => string;
  readonly now: () => Date;
  /** Leaves a message for the agent; durable when the promise resolves. */
  readonly leave: (id: string, message: AgentMessage) => Promise<void>;
  /** Tells how the agent does. `isAlive`: its loop makes passes. `isReady`: it has the folder. */
  readonly health: () => { readonly isAlive: boolean; readonly isReady: boolean };
  /** Returns metrics in the text of Prometheus. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/** Socket that listens. */
export interface AgentServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves webhooks of forges, health and metrics. Fails with `CAIRN-USAGE` if the address is not to be had. */
export async function serveAgent({ host, port }: ListenAt, ports: ServerPorts): Promise<AgentServer> {
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    (request, response) => {
      answer(request, response, ports).catch((thrown: unknown) => {
        ports.log(`cannot answer ${request.method ?? ''} ${request.url ?? ''}: ${messageOf(thrown)}`);
        send(response, 500, 'internal error');
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) =>
      reject(
        cairnError('CAIRN-USAGE', `cannot listen on ${host}:${port}: ${messageOf(thrown)}`, {
          hint: 'Choose another address with --listen, or port 0 for any free port.',
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${own}`, close: () => closed(server) };
}

function closed(server: Server): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return end;
}

async function answer(request: IncomingMessage, response: ServerResponse, ports: ServerPorts): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const [, name] = /^\/forges\/([a-z0-9-]+)$/.exec(path) ?? [];
  const forge = ports.forges.find((each) => each.name === name);
  if (forge !== undefined) {
    if (request.method !== 'POST') return send(response, 405, 'webhooks are posted', { allow: 'POST' });
    return receive(request, response, forge, ports);
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!['/healthz', '/readyz', '/metrics'].includes(path))
    return send(response, 404, 'there is nothing here');
  if (!isRead) return send(response, 405, 'this is only read', { allow: 'GET, HEAD' });
  if (path === '/metrics') {
    const { type, text } = await ports.metrics();
    return send(response, 200, text, { 'content-type': type });
  }
  const { isAlive, isReady } = ports.health();
  if (path === '/healthz')
    return send(response, isAlive ? 200 : 503, isAlive ? 'ok' : 'no pass for too long');
  return send(response, isReady ? 200 : 503, isReady ? 'ok' : 'another agent has the folder');
}

/** Takes a webhook. It is answered when the agent cannot lose it any more. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { name, kind, secret }: ForgeSettings,
  { secretOf, now, leave, log }: ServerPorts,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return send(response, 413, `a webhook has at most ${MOST_BYTES} bytes`);
  const read = readDelivery(kind, request.headers, body, secretOf(secret), now());
  switch (read.t) {
    case 'refused':
      log(`forge ${name}: a delivery is refused: ${read.why}`);
      return send(response, read.status, read.why);
    case 'ignored':
      return send(response, 202, `ignored: ${read.why}`);
    case 'event':
      await leave(read.id, { t: 'forge', forge: name, id: read.id, event: read.event });
      return send(response, 202, 'accepted');
  }
}

/** Reads a body; `undefined` if it is too large. The rest of one is read and dropped, so that its sender hears why. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_READ) break;
    if (size <= MOST_BYTES) chunks.push(chunk);
  }
  return size > MOST_BYTES ? undefined : Buffer.concat(chunks);
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return;
  // A body that was not read to its end ends the connection.
  const close = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...close, ...headers });
  response.end(text.endsWith('\n') ? text : `${text}\n`);
}
