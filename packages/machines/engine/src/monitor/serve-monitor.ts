import { engineService } from '@cairn/wire/engine-server';
import { monitorService } from '@cairn/wire/monitor-server';
import { loaderService, mapperService, resolverService } from '@cairn/wire/schemas-server';
import type { Intake, ResourceStatus } from '@cairn/wire';
import { resourceStatusService } from '@cairn/wire/resource-status-server';
import { healthService } from '@cairn/wire/server';
import type { ProgramMonitor } from './create-monitor.js';
import { servePeers } from './serve-peers.js';
import type { ServedPeers, ServingPorts } from './serve-peers.js';

/**
 * Serves a program's monitor, the engine service, and the services about packages. All share an address, so that a
 * program needs one connection.
 */
export async function serveMonitor(
  program: Pick<ProgramMonitor, 'monitor' | 'engine' | 'schemas'>,
  options: ServingPorts & {
    readonly status?: ResourceStatus | undefined;
    readonly intake?: Intake | undefined;
  },
): Promise<ServedPeers> {
  const services = [
    monitorService(program.monitor, options.intake),
    engineService(program.engine),
    loaderService(program.schemas),
    mapperService(program.schemas),
    resolverService(program.schemas),
    ...(options.status === undefined ? [] : [resourceStatusService(options.status)]),
    healthService(),
  ];
  return servePeers(services, options);
}
