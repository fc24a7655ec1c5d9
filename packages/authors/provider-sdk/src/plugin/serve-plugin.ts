import process from 'node:process';
import type { Provider } from '@cairn/wire';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { healthService, sameUserGuard, startServer } from '@cairn/wire/server';
import { whenParentEnds } from './parent.js';

/**
 * Serves a provider as a plugin process. `isChild` means that an engine has started this process, which ends with it.
 */
export async function servePlugin(provider: Provider, isChild: boolean): Promise<void> {
  const parent = process.ppid;
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
  if (isChild) whenParentEnds(parent, stop);
  process.stdout.write(`${server.port}\n`);
}

const refusal = (who: string): string => `${who} tried to call this provider and was refused\n`;

/** Time limit for running calls to give up. */
const GRACE_MS = 2000;
