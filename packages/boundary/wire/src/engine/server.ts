import type { EngineService } from '../contracts/engine-service.js';
import { StatusError } from '../contracts/status.js';
import { EngineDefinition } from '../generated/pulumi/engine.js';
import { service } from '../rpc/service.js';
import type { Service } from '../rpc/service.js';
import { decodeStruct } from '../values/decode.js';
import { SEVERITY_NAMES } from './severity.js';

/** Serves the engine's side channel [PRG-12]. */
export function engineService(engine: EngineService): Service {
  return service(EngineDefinition, {
    log: async ({ severity, message, urn, streamId, ephemeral }) => {
      const name = SEVERITY_NAMES[severity];
      if (name === undefined)
        throw new StatusError('INVALID_ARGUMENT', `unknown severity ${String(severity)}`);
      await engine.log({ severity: name, message, urn, streamId, ephemeral });
      return {};
    },
    getRootResource: async () => ({ urn: await engine.getRootResource() }),
    setRootResource: async ({ urn }) => {
      await engine.setRootResource(urn);
      return {};
    },
    startDebugging: async ({ config, message }) => {
      await engine.startDebugging({ config: decodeStruct(config), message });
      return {};
    },
    requirePulumiVersion: async ({ pulumiVersionRange }) => {
      await engine.requirePulumiVersion(pulumiVersionRange);
      return {};
    },
  });
}
