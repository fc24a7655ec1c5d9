import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { PeerGuard } from './peer-guard.js';

/** TCP port that passes on the connections its guard admitted. */
interface GuardedListener {
  readonly host: string;
  readonly port: number;
  /** Accepts no more connections; connections that were passed on are not affected. */
  close(): void;
  /** Neither listening nor deciding about a peer keeps the process alive after this call. */
  unref(): void;
}

/** Listens at `host:port` (port 0: a free one). Rejects if the address cannot be bound. */
export async function listenGuarded(
  at: { readonly host: string; readonly port: number },
  guard: PeerGuard,
  admit: (socket: Socket) => void,
): Promise<GuardedListener> {
  let closed = false;
  let unreferenced = false;
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    // The peer may disconnect before it is admitted; without a listener its error would be thrown.
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
