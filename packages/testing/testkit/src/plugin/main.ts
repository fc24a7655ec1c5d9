import process from 'node:process';
import { providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';
import { ItemProvider } from './item-provider.js';

/**
 * The plugin `pulumi-resource-test`: listens on a free port of 127.0.0.1, writes the port as the first line of stdout,
 * and serves until it is interrupted [PLUG-4]. Calls are also taken over one stream.
 */
export async function main(): Promise<void> {
  const server = await startServer({ services: [providerService(new ItemProvider())], stream: true });
  const leave = () => process.exit(0);
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stdout.write(`${server.port}\n`);
}
