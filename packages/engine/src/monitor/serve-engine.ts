import { engineService } from '@cairn/wire/engine-server';
import type { ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { healthService } from '@cairn/wire/server';
import type { Ports } from '../ports.js';
import { createEngineService } from './engine-service.js';
import { servePeers } from './serve-peers.js';
import type { ServedPeers } from './serve-peers.js';

/** Serves the engine service, and the ear for views, to plugins of an operation that runs no program. */
export async function serveEngine(ports: Pick<Ports, 'emit'>, status: ResourceStatus): Promise<ServedPeers> {
  const services = [
    engineService(createEngineService(ports)),
    resourceStatusService(status),
    healthService(),
  ];
  return servePeers(services, ports.emit);
}
