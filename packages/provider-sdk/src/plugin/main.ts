import process from 'node:process';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { healthService, startServer } from '@cairn/wire/server';
import type { ProviderDefinition } from '../definition.js';
import { toProvider } from '../provider/defined-provider.js';

/**
 * Serves a provider as a plugin process (pulumirpc-semantics.md B2): listens on a free port of 127.0.0.1, writes the port as the
 * first line of stdout, and ends on SIGINT or SIGTERM after the calls under way were told to give up.
 */
export async function main(definition: ProviderDefinition): Promise<void> {
  const provider = toProvider(definition);
  const services = [providerService(provider), providerExtrasService(provider), healthService()];
  const server = await startServer({ services, stream: true });
  const stop = (): void => {
    void provider.cancel().then(async () => {
      await server.close(GRACE_MS);
      process.exit(0);
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.write(`${server.port}\n`);
}

/** How long calls under way may take to give up. */
const GRACE_MS = 2000;
