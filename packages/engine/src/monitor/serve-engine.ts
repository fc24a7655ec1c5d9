import { engineService } from '@cairn/wire/engine-server';
import type { ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { loaderService, mapperService, resolverService } from '@cairn/wire/schemas-server';
import { healthService } from '@cairn/wire/server';
import type { Ports } from '../ports.js';
import { createEngineService } from './engine-service.js';
import { createSchemas } from './schemas.js';
import { servePeers } from './serve-peers.js';
import type { ServedPeers } from './serve-peers.js';

/**
 * Serves the engine service, what tells of packages, and the ear for views, to plugins of an operation that runs no
 * program. All share an address.
 */
export async function serveEngine(
  ports: Pick<Ports, 'emit' | 'calls' | 'providers'>,
  status: ResourceStatus,
): Promise<ServedPeers> {
  const schemas = createSchemas(ports.providers);
  const services = [
    engineService(createEngineService(ports)),
    loaderService(schemas),
    mapperService(schemas),
    resolverService(schemas),
    resourceStatusService(status),
    healthService(),
  ];
  return servePeers(services, ports);
}
