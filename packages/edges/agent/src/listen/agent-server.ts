import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_HEADERS } from '@cairn/changes-daemon';
import { cairnError, messageOf } from '@cairn/diagnostics';
import type { ForgeSettings } from '../config/agent-config.js';
import { readDelivery } from '../forges/deliveries.js';
import { answerApproval } from '../links/answer-approval.js';
import type { ApprovalPorts } from '../links/answer-approval.js';
import type { AgentMessage } from '../runs/messages.js';
import type { MetricsText } from './agent-registry.js';

/** Most bytes of a webhook. */
const MOST_BYTES = 5 << 20;
/** Most bytes that are read of one that is too large. Forges send at most 25 MB. */
const MOST_READ = 32 << 20;
/** Times that a client has for the headers and for the whole of a request, in milliseconds. */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;

/** Path of a link that approves. */
const APPROVAL = /^\/approve\/([\w.-]+)$/;

/** Address to listen on. Port 0 is any free port. */
export interface ListenAt {
  readonly host: string;
  readonly port: number;
}

/** Parts that the server needs. */
interface ServerPorts {
  /** Takes webhooks. Without it there are none. */
  readonly webhooks?: WebhookPorts;
  /** Answers links that approve runs. Without it there are none. */
  readonly approvals?: Omit<ApprovalPorts, 'log'> | undefined;
  /** Tells how the agent does. `dead`: why its loop seems to have stopped. `unready`: why it does no work. */
  readonly health: () => { readonly dead?: string | undefined; readonly unready?: string | undefined };
  /** Returns metrics in the text of Prometheus. */
  readonly metrics: () => Promise<MetricsText>;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/** Parts that webhooks of forges need. */
interface WebhookPorts {
  readonly forges: readonly ForgeSettings[];
  /** Value of a variable of the agent's environment. */
  readonly secretOf: (variable: string) => string;
  readonly now: () => Date;
  /** Leaves a message for the agent; durable when the promise resolves. */
  readonly leave: (id: string, message: AgentMessage) => Promise<void>;
}

/** Socket that listens. */
export interface AgentServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves webhooks, links that approve, health and metrics. Fails with `CAIRN-USAGE` if the address cannot be used. */
export async function serveAgent({ host, port }: ListenAt, ports: ServerPorts): Promise<AgentServer> {
  const server = createServer(
    { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    (request, response) => {
      answer(request, response, ports).catch((thrown: unknown) => {
        ports.log(`cannot answer ${request.method ?? ''} ${loggedPath(request)}: ${messageOf(thrown)}`);
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

/** Returns the path of a request for the log. The token of a link is left out. */
function loggedPath({ url = '' }: IncomingMessage): string {
  return (url.split('?')[0] ?? '').replace(/^\/approve\/.*/, '/approve/…');
}

function closed(server: Server): Promise<void> {
  const end = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  return end;
}

async function answer(request: IncomingMessage, response: ServerResponse, ports: ServerPorts): Promise<void> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const [, name] = /^\/forges\/([a-z0-9-]+)$/.exec(path) ?? [];
  const { webhooks, log } = ports;
  const forge = webhooks?.forges.find((each) => each.name === name);
  if (webhooks !== undefined && forge !== undefined) {
    if (request.method !== 'POST') return send(response, 405, 'webhooks are posted', { allow: 'POST' });
    return receive(request, response, forge, { ...webhooks, log });
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const [, token] = APPROVAL.exec(path) ?? [];
  if (ports.approvals !== undefined && token !== undefined) {
    const isClick = request.method === 'POST';
    if (!isRead && !isClick) return send(response, 405, 'a link is opened', { allow: 'GET, HEAD, POST' });
    const { status, html } = await answerApproval(token, isClick, { ...ports.approvals, log });
    return send(response, status, html, PAGE_HEADERS);
  }
  if (!['/healthz', '/readyz', '/metrics'].includes(path))
    return send(response, 404, 'there is nothing here');
  if (!isRead) return send(response, 405, 'this is only read', { allow: 'GET, HEAD' });
  if (path === '/metrics') {
    const { type, text } = await ports.metrics();
    return send(response, 200, text, { 'content-type': type });
  }
  const { dead, unready } = ports.health();
  const why = path === '/healthz' ? dead : unready;
  return send(response, why === undefined ? 200 : 503, why ?? 'ok');
}

/** Takes a webhook. It is answered when the agent cannot lose it any more. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { name, kind, secret }: ForgeSettings,
  { secretOf, now, leave, log }: WebhookPorts & Pick<ServerPorts, 'log'>,
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
