import { engineService } from '@cairn/wire/engine-server';
import type { ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { loaderService, mapperService, resolverService } from '@cairn/wire/schemas-server';
import { healthService } from '@cairn/wire/server';
import type { Service } from '@cairn/wire/server';
import type { EnginePorts, ServedAddresses, ServiceAddresses } from '../ports.js';
import { createEngineService } from './engine-service.js';
import { createSchemas } from './schemas.js';
import { servePeers } from './serve-peers.js';
import type { ServedPeers } from './serve-peers.js';

/**
 * Returns the services that plugins need without a program: the engine service, those about packages, and the receiver
 * of views.
 */
export function engineServices(
  ports: Pick<EnginePorts, 'debugged' | 'emit' | 'providers'>,
  status: ResourceStatus,
): readonly Service[] {
  const schemas = createSchemas(ports.providers);
  return [
    engineService(createEngineService(ports)),
    loaderService(schemas),
    mapperService(schemas),
    resolverService(schemas),
    resourceStatusService(status),
    healthService(),
  ];
}

/** Serves plugins of an operation that runs no program. All services share an address. */
export function serveEngine(
  ports: Pick<EnginePorts, 'emit' | 'calls' | 'debugged' | 'providers'>,
  status: ResourceStatus,
): Promise<ServedPeers> {
  return servePeers(engineServices(ports, status), ports);
}

/** Returns the addresses of these services: all at one address, without a monitor. */
export function engineAddresses(served: ServedPeers): ServedAddresses {
  return {
    ...withoutMonitor(served.address),
    shared: () => withoutMonitor(served.shared()),
    onPort: () => withoutMonitor(served.port()),
  };
}

function withoutMonitor(address: string): ServiceAddresses {
  return { monitor: '', engine: address, loader: address, mapper: address, resolver: address };
}
