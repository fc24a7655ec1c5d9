import process from 'node:process';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { ItemProvider } from './item-provider.js';

/**
 * Serves the plugin `pulumi-resource-test` until it is interrupted [PLUG-4]. Listens on a free port of 127.0.0.1 and
 * writes the port as the first line of stdout. Calls are also accepted over one stream.
 */
export async function main(): Promise<void> {
  const server = await startServer({ services: [providerService(new ItemProvider())], stream: true });
  const leave = () => process.exit(0);
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stdout.write(`${server.port}\n`);
}
