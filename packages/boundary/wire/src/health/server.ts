import { StatusError } from '../contracts/status.js';
import { HealthCheckResponse_ServingStatus, HealthDefinition } from '../generated/grpc/health/v1/health.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';

/**
 * Serves health checks. Plugins send one every five minutes and end themselves on an error [PLUG-8].
 * `services` lists full names that may be checked besides the server as a whole.
 */
export function healthService(services: readonly string[] = []): Service {
  const known = new Set(['', ...services]);
  return service(HealthDefinition, {
    check: async ({ service: name }) => {
      if (!known.has(name)) throw new StatusError('NOT_FOUND', `unknown service ${JSON.stringify(name)}`);
      return { status: HealthCheckResponse_ServingStatus.SERVING };
    },
  });
}
