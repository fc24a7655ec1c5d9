import { StatusError } from '../contracts/status.js';
import { HealthCheckResponse_ServingStatus, HealthDefinition } from '../generated/grpc/health/v1/health.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';

/**
 * Says that the server is alive. Plugins ask every five minutes and end themselves on an error [PLUG-8].
 * `services`: full names that may be asked for besides the server as a whole.
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
