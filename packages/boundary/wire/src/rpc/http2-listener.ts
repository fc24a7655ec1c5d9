import { createSecureServer, createServer } from 'node:http2';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createPlainServer } from 'node:net';
import type { Socket } from 'node:net';
import { splitHostPort } from './address.js';
import type { RunningServer } from './grpc-server.js';
import { listenGuarded } from './peers/guarded-listener.js';
import { sameUserGuard } from './peers/peer-guard.js';

/** Address and security of a listening server. */
export interface Http2ServerOptions {
  /** `host:port` or `unix:<path>`. Defaults to a free port on 127.0.0.1. */
  readonly address?: string | undefined;
  /** Not encrypted if absent. */
  readonly tls?: MutualServerTls | undefined;
  /** True if listening and idle connections keep the process alive. Defaults to false. */
  readonly keepsAlive?: boolean | undefined;
}

/** Certificates for mutual authentication: each end trusts exactly the certificate it was given. All in PEM. */
interface MutualServerTls {
  readonly certificate: string;
  readonly key: string;
  /** The only certificate that is accepted from a client. */
  readonly clientCertificate: string;
}

const WINDOW_BYTES = 4 * 1024 * 1024;
const SESSION_MEMORY_MB = 1024;

interface Listener {
  readonly address: string;
  readonly port: number;
  close(): void;
  unref(): void;
}

/** Listens for HTTP/2 streams until closed. At a port, only trusted processes may connect ({@link sameUserGuard}). */
export async function listenHttp2(
  options: Http2ServerOptions,
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<RunningServer> {
  const { address = '127.0.0.1:0', keepsAlive = false } = options;
  const sessions = new Set<ServerHttp2Session>();
  const server = httpServer(options.tls);
  server.on('session', (session) => {
    if (!keepsAlive) session.unref();
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Streams receive the error as well; without a listener it would be thrown.
    session.on('error', () => {});
  });
  server.on('stream', onStream);
  const listener = await listen(address, (socket) => server.emit('connection', socket));
  if (!keepsAlive) listener.unref();
  return {
    address: listener.address,
    port: listener.port,
    close: async (graceMs = 0) => {
      listener.close();
      if (graceMs > 0) await ended(sessions, graceMs);
      for (const session of sessions) session.destroy();
    },
  };
}

function httpServer(tls: MutualServerTls | undefined): Http2Server {
  const common = { settings: { initialWindowSize: WINDOW_BYTES }, maxSessionMemory: SESSION_MEMORY_MB };
  if (tls === undefined) return createServer(common);
  return createSecureServer({
    ...common,
    ca: tls.clientCertificate,
    cert: tls.certificate,
    key: tls.key,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
  }).on('tlsClientError', () => {});
}

async function listen(address: string, admit: (socket: Socket) => void): Promise<Listener> {
  if (address.startsWith('unix:')) return listenAtSocket(address, admit);
  const listener = await listenGuarded(splitHostPort(address), sameUserGuard(), admit);
  const { host, port } = listener;
  const close = (): void => listener.close();
  return { address: `${host}:${port}`, port, close, unref: () => listener.unref() };
}

async function listenAtSocket(address: string, admit: (socket: Socket) => void): Promise<Listener> {
  const server = createPlainServer(admit);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.slice('unix:'.length), resolve);
  });
  return { address, port: 0, close: () => void server.close(), unref: () => void server.unref() };
}

/** Resolves when every session has ended its calls, or when the time is up. */
async function ended(sessions: ReadonlySet<ServerHttp2Session>, graceMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  const each = [...sessions].map((session) => new Promise<void>((resolve) => session.close(resolve)));
  await Promise.race([Promise.all(each), late]);
  clearTimeout(timer);
}
