import process from 'node:process';
import { startHttp2Server } from '@cairn/wire/callbacks-server';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { StoredProvider } from './provider.js';

/**
 * Serves stored providers as a plugin process [PLUG-4]: the port is the first line of stdout. It ends on SIGINT and
 * SIGTERM after the calls under way were told to give up, and when the engine that started it has ended.
 */
async function main(): Promise<void> {
  process.setSourceMapsEnabled(true);
  const provider = new StoredProvider();
  const server = await startHttp2Server([providerService(provider), providerExtrasService(provider)]);
  const parent = process.ppid;
  const stop = (): void => {
    void provider.close();
    setTimeout(() => process.exit(0), GRACE_MS).unref();
    void server.close().then(() => clearInterval(staying));
  };
  // Its server keeps no process alive by itself.
  const staying = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_MS);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(`${server.port}\n`);
}

/** How often is looked whether the parent is still there. */
const PARENT_MS = 1000;

/** How long calls under way may take to give up. */
const GRACE_MS = 2000;

await main();
