import { engineService } from '@cairn/wire/engine-server';
import { monitorService } from '@cairn/wire/monitor-server';
import { loaderService, mapperService } from '@cairn/wire/schemas-server';
import type { Intake, ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { healthService, startServer, temporarySocket } from '@cairn/wire/server';
import type { RunningServer } from '@cairn/wire/server';
import type { ProgramMonitor } from './create-monitor.js';

/** Where a program finds the two services. */
export interface MonitorAddresses {
  readonly monitor: string;
  readonly engine: string;
  /** Schemas of packages, and mappings from another ecosystem (A20.2). */
  readonly loader: string;
  readonly mapper: string;
}

/** A monitor that listens. */
export interface ServedMonitor {
  /** `127.0.0.1:<port>`: for programs with any SDK, and for constructors in plugins. */
  readonly tcp: MonitorAddresses;
  /** `unix:<path>`: for programs with our SDK; undefined when not asked for, or where there are none. */
  readonly socket: MonitorAddresses | undefined;
  /** Stops listening; answers under way may still be sent for a moment. Never throws. */
  close(): Promise<void>;
}

/** How long answers may still take to be sent when the monitor is closed. */
const CLOSING_GRACE_MS = 1_000;

/**
 * Serves a program's monitor and the engine service over gRPC, also framed on one stream, on a free loopback port and, when
 * asked, on a socket file. All services share an address, so that a program needs one connection.
 */
export async function serveMonitor(
  program: Pick<ProgramMonitor, 'monitor' | 'engine' | 'schemas'>,
  options: {
    readonly socket: boolean;
    readonly status?: ResourceStatus | undefined;
    readonly intake?: Intake | undefined;
  },
): Promise<ServedMonitor> {
  const services = [
    monitorService(program.monitor, options.intake),
    engineService(program.engine),
    loaderService(program.schemas),
    mapperService(program.schemas),
    ...(options.status === undefined ? [] : [resourceStatusService(options.status)]),
    healthService(),
  ];
  const socket = options.socket ? temporarySocket() : undefined;
  const tcp = await startServer({ services, stream: true });
  const local =
    socket && (await startServer({ services, stream: true, address: socket.address }).catch(closing(tcp)));
  return {
    tcp: everywhere(tcp.address),
    socket: local && everywhere(local.address),
    close: () => closeAll([tcp, local], socket),
  };
}

function everywhere(address: string): MonitorAddresses {
  return { monitor: address, engine: address, loader: address, mapper: address };
}

/** Leaves nothing open behind a server that could not listen. */
function closing(server: RunningServer): (error: unknown) => Promise<never> {
  return async (error) => {
    await server.close();
    throw error;
  };
}

async function closeAll(
  servers: readonly (RunningServer | undefined)[],
  socket: ReturnType<typeof temporarySocket>,
): Promise<void> {
  await Promise.all(servers.map((server) => server?.close(CLOSING_GRACE_MS)));
  await socket?.remove();
}
