import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { PeerGuard } from './peer-guard.js';

/** A TCP port that hands on connections that its guard let in. */
interface GuardedListener {
  readonly host: string;
  readonly port: number;
  /** Takes no more connections; those handed on are not touched. */
  close(): void;
  /** Neither listening nor deciding about a peer keeps the process alive any more. */
  unref(): void;
}

/** Listens at `host:port` (port 0: a free one). Rejects when that cannot be bound. */
export async function listenGuarded(
  at: { readonly host: string; readonly port: number },
  guard: PeerGuard,
  admit: (socket: Socket) => void,
): Promise<GuardedListener> {
  let closed = false;
  let unreferenced = false;
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    // The peer may go before it is let in; without a listener that would be thrown.
    const ignore = (): void => {};
    socket.on('error', ignore);
    if (unreferenced) socket.unref();
    void guard(socket).then((refusal) => {
      if (refusal !== undefined || closed || socket.destroyed) return void socket.destroy();
      admit(socket);
      socket.off('error', ignore);
      socket.resume();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    host: at.host,
    port,
    close: () => {
      closed = true;
      server.close();
    },
    unref: () => {
      unreferenced = true;
      server.unref();
    },
  };
}
