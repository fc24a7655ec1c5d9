import { createSecureServer, createServer } from 'node:http2';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer as createPlainServer } from 'node:net';
import type { Socket } from 'node:net';
import { splitHostPort } from './address.js';
import { listenGuarded } from './peers/guarded-listener.js';
import { sameUserGuard } from './peers/peer-guard.js';
import type { PeerGuard } from './peers/peer-guard.js';

/** Address and security of a listening server. */
export interface ListenOptions {
  /** `host:port` or `unix:<path>`. Defaults to a free port on 127.0.0.1. */
  readonly address?: string | undefined;
  /** Not encrypted if absent. */
  readonly tls?: MutualServerTls | undefined;
  /** False if neither listening nor idle connections keep the process alive. Defaults to true. */
  readonly keepsAlive?: boolean | undefined;
  /**
   * Decides who may connect to a port. By default only processes of the same user, where the system can tell ({@link
   * sameUserGuard}).
   */
  readonly guard?: PeerGuard | undefined;
}

/** Server that listens. */
export interface RunningServer {
  /** Address for clients: `127.0.0.1:<port>` or `unix:<path>`. */
  readonly address: string;
  /** 0 for a socket file. */
  readonly port: number;
  /** Lets calls under way end for `graceMs` milliseconds (default 0), then cuts them off. Never throws. */
  close(graceMs?: number): Promise<void>;
}

/** Certificates for mutual authentication: each end trusts exactly the certificate it was given. All in PEM. */
interface MutualServerTls {
  readonly certificate: string;
  readonly key: string;
  /** The only certificate that is accepted from a client. */
  readonly clientCertificate: string;
}

/**
 * Bytes that a peer may send ahead on one stream. On a connection it may send 64 KiB, the default, ahead: Node does not
 * read while it waits for its own writes, so that a peer must never fill the buffer of a socket.
 */
const WINDOW_BYTES = 4 * 1024 * 1024;
const SESSION_MEMORY_MB = 1024;

interface Listener {
  readonly address: string;
  readonly port: number;
  close(): void;
  unref(): void;
}

/** Listens for HTTP/2 streams until closed. */
export async function openListener(
  options: ListenOptions,
  onStream: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void,
): Promise<RunningServer> {
  const { address = '127.0.0.1:0', keepsAlive = true, guard = sameUserGuard() } = options;
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
  const admit = (socket: Socket): void => void server.emit('connection', socket);
  const listener = address.startsWith('unix:')
    ? await listenAtSocket(address, admit)
    : await listenAtPort(address, guard, admit);
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

async function listenAtPort(
  address: string,
  guard: PeerGuard,
  admit: (socket: Socket) => void,
): Promise<Listener> {
  const listener = await listenGuarded(splitHostPort(address), guard, admit);
  const { host } = listener;
  return { ...listener, address: `${host.includes(':') ? `[${host}]` : host}:${listener.port}` };
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
