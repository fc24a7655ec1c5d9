import process from 'node:process';
import type { ProviderDefinition } from '../package-definition.js';
import { toPluginProvider } from '../provider/defined-provider.js';
import { serveProvider } from './serve-provider.js';

/**
 * Serves a provider as a plugin process. Listens on a free port of 127.0.0.1 and writes the port as the first line of
 * stdout. On SIGINT or SIGTERM it asks the running calls to stop and ends. It ends in the same way if the engine that
 * started it has ended without a signal. On Linux it answers only to processes of its own user. Relative paths are
 * relative to the folder in which it was started: that of the program.
 */
// [PLUG-4]
export async function main(definition: ProviderDefinition): Promise<void> {
  // An engine passes its address when it starts a plugin; a person does not.
  await serveProvider(toPluginProvider(definition, process.cwd()), process.argv[2] !== undefined);
}
