import type { EngineService } from '@cairn/wire';
import type { GuardOptions } from '@cairn/wire/server';
import type { PluginMessage } from '../options.js';

/** Returns an engine service without an operation. Logged lines become messages of the plugin. */
export function messageService(plugin: string, onMessage: (message: PluginMessage) => void): EngineService {
  return {
    log: async ({ severity, message, streamId }) =>
      onMessage({ severity, plugin, text: message, streamId, urn: undefined }),
    getRootResource: async () => '',
    setRootResource: async () => {},
    startDebugging: async () => {},
    requirePulumiVersion: async () => {},
  };
}

/** Returns the options of a guard for such a service. A refused caller becomes a warning of the plugin. */
export function refusalMessages(plugin: string, onMessage: (message: PluginMessage) => void): GuardOptions {
  return {
    takesUnknown: () => true,
    onRefused: (who) =>
      onMessage({ severity: 'warning', plugin, text: `${who} was refused`, streamId: 0, urn: undefined }),
  };
}
