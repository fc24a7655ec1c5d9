import { engineService } from '@cairn/wire/engine-server';
import type { ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { healthService, startServer } from '@cairn/wire/server';
import type { Ports } from '../ports.js';
import { createEngineService } from './engine-service.js';

/** The engine service, for plugins of an operation that runs no program. */
export interface ServedEngine {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  /** Stops listening. Never throws. */
  close(): Promise<void>;
}

/** How long answers may still take to be sent when the service is closed. */
const CLOSING_GRACE_MS = 1_000;

/** Serves the engine service, and the ear for views, on a free loopback port. */
export async function serveEngine(ports: Pick<Ports, 'emit'>, status: ResourceStatus): Promise<ServedEngine> {
  const server = await startServer({
    services: [engineService(createEngineService(ports)), resourceStatusService(status), healthService()],
  });
  return { address: server.address, close: () => server.close(CLOSING_GRACE_MS) };
}
