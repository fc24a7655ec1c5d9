import process from 'node:process';
import type { ProviderDefinition } from '../package-definition.js';
import { toPluginProvider } from '../provider/defined-provider.js';
import { servePlugin } from './serve-plugin.js';

/**
 * Serves a provider as a plugin process: listens on a free port of 127.0.0.1, writes the port as the
 * first line of stdout, and ends on SIGINT or SIGTERM after the calls under way were told to give up,
 * and so when an engine that started it has ended without a word. On Linux it answers only to
 * processes of its own user. Relative paths count from the folder in which it was started: that of the program.
 */
// [PLUG-4]
export async function main(definition: ProviderDefinition): Promise<void> {
  // An engine names its address when it starts a plugin; a person does not.
  await servePlugin(toPluginProvider(definition, process.cwd()), process.argv[2] !== undefined);
}
