import type { EngineService } from '@cairn/wire';
import { Http2Caller } from '@cairn/wire/caller';
import { EngineClient } from '@cairn/wire/engine-client';
import { engineService } from '@cairn/wire/engine-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { PluginMessage } from '../options.js';
import { messageService, refusalMessages } from './message-service.js';

/**
 * Engine service for a language plugin, which receives its address at its start, before there is an operation. Once the
 * operation's engine is known, the relay forwards everything to it.
 */
export interface EngineRelay {
  /** `127.0.0.1:<port>`. */
  readonly address: string;
  /** Forwards everything to the engine at this address from now on. */
  forward(engineAddress: string): void;
  close(): Promise<void>;
}

/** Starts a relay. Until it forwards, logged lines become messages of the plugin. */
export async function startEngineRelay(
  plugin: string,
  onMessage: (message: PluginMessage) => void,
): Promise<EngineRelay> {
  let target: EngineService = messageService(plugin, onMessage);
  let caller: Http2Caller | undefined;
  const relayed: EngineService = {
    log: (request) => target.log(request),
    getRootResource: () => target.getRootResource(),
    setRootResource: (urn) => target.setRootResource(urn),
    startDebugging: (request) => target.startDebugging(request),
    requirePulumiVersion: (range) => target.requirePulumiVersion(range),
  };
  const guard = sameUserGuard(refusalMessages(plugin, onMessage));
  const server = await startServer({ services: [engineService(relayed), healthService()], guard });
  return {
    address: `127.0.0.1:${server.port}`,
    forward: (engineAddress) => {
      caller?.close();
      caller = new Http2Caller(engineAddress);
      target = new EngineClient(caller);
    },
    close: async () => {
      caller?.close();
      await server.close(0);
    },
  };
}
