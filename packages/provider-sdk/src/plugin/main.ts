import process from 'node:process';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import type { ProviderDefinition } from '../package-definition.js';
import { toPluginProvider } from '../provider/defined-provider.js';
import { whenParentEnds } from './parent.js';

/**
 * Serves a provider as a plugin process [PLUG-4]: listens on a free port of 127.0.0.1, writes the port as the
 * first line of stdout, and ends on SIGINT or SIGTERM after the calls under way were told to give up,
 * and so when an engine that started it has ended without a word. On Linux it answers only to
 * processes of its own user. Relative paths count from the folder in which it was started: that of the program.
 */
export async function main(definition: ProviderDefinition): Promise<void> {
  const parent = process.ppid;
  const provider = toPluginProvider(definition, process.cwd());
  const services = [providerService(provider), providerExtrasService(provider), healthService()];
  const guard = sameUserGuard({ onRefused: (who) => void process.stderr.write(refusal(who)) });
  const server = await startServer({ services, stream: true, guard });
  const stop = (): void => {
    void provider.cancel().then(async () => {
      await server.close(GRACE_MS);
      process.exit(0);
    });
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  // An engine names its address when it starts a plugin; a person does not.
  if (process.argv[2] !== undefined) whenParentEnds(parent, stop);
  process.stdout.write(`${server.port}\n`);
}

const refusal = (who: string): string => `${who} tried to call this provider and was refused\n`;

/** How long calls under way may take to give up. */
const GRACE_MS = 2000;
