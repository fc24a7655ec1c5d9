import { privateSocket, sameUserGuard, startServer, watchedServices } from '@cairn/wire/server';
import type { CallWatch, RunningServer, Service } from '@cairn/wire/server';
import type { EngineEvent } from '../model/events.js';

/** Services that listen where only peers of our user are admitted (docs/security.md). */
export interface ServedPeers {
  /** `unix:<path>` in a folder of our user; `127.0.0.1:<port>` on Windows. */
  readonly address: string;
  /**
   * Returns `127.0.0.1:<port>`, for a peer that may not support socket files. From the first call on such peers are
   * admitted.
   */
  port(): string;
  /** Returns the address for any peer that is running: the port if one of them needs that. */
  shared(): string;
  /** Stops listening. Answers under way may still be sent for a moment. Never throws. */
  close(): Promise<void>;
}

/** Ports that serving needs from outside. */
export interface ServingPorts {
  /** Receives warnings about refused peers. */
  readonly emit: (event: EngineEvent) => void;
  /** Receives all calls. */
  readonly calls?: CallWatch | undefined;
}

/** Milliseconds that answers may still take to be sent when the services are closed. */
const CLOSING_GRACE_MS = 1_000;

/**
 * Serves over gRPC, also framed on one stream, on a private socket file and a free loopback port. The port admits
 * processes of our user; others are refused with a warning. Where users cannot be determined, it admits no process
 * until a peer was given the port.
 */
export async function servePeers(
  unwatched: readonly Service[],
  { emit, calls }: ServingPorts,
): Promise<ServedPeers> {
  const services = watchedServices(unwatched, calls);
  const socket = privateSocket();
  let inUse = socket === undefined;
  const guard = sameUserGuard({ takesUnknown: () => inUse, onRefused: (who) => emit(refused(who)) });
  const tcp = await startServer({ services, stream: true, guard });
  const local =
    socket && (await startServer({ services, stream: true, address: socket.address }).catch(closing(tcp)));
  const address = (local ?? tcp).address;
  return {
    address,
    port: () => {
      inUse = true;
      return tcp.address;
    },
    shared: () => (inUse ? tcp.address : address),
    close: async () => {
      await Promise.all([tcp, local].map((server) => server?.close(CLOSING_GRACE_MS)));
      await socket?.remove();
    },
  };
}

function refused(who: string): EngineEvent {
  return {
    t: 'diagnostic',
    diagnostic: {
      severity: 'warning',
      code: 'CAIRN-PEER-REFUSED',
      summary: `${who} tried to connect to the engine and was refused: it belongs to another user`,
      hint: 'Run plugins and programs as the user who runs cairn.',
    },
    streamId: 0,
    ephemeral: false,
  };
}

/** Returns a handler that closes a server and rethrows, for another server that could not listen. */
function closing(server: RunningServer): (error: unknown) => Promise<never> {
  return async (error) => {
    await server.close();
    throw error;
  };
}
