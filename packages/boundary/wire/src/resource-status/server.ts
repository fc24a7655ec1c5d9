import type { ResourceStatus } from '../contracts/resource-status.js';
import { ResourceStatusDefinition } from '../generated/pulumi/resource_status.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { decodeViewStep } from './messages.js';

/** Serves the engine's receiver of view steps. */
export function resourceStatusService(status: ResourceStatus): Service {
  return service(ResourceStatusDefinition, {
    publishViewSteps: async ({ token, steps }) => {
      await status.publishViewSteps(token, steps.map(decodeViewStep));
      return {};
    },
  });
}
