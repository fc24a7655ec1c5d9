import type { Provider } from '@cairn/wire';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { servePlugin } from '@cairn/wire/server';

/** Serves a provider as this process. `isChild` means that an engine has started it, with which it ends. */
export function serveProvider(provider: Provider, isChild: boolean): Promise<void> {
  return servePlugin({
    services: [providerService(provider), providerExtrasService(provider)],
    name: 'provider',
    isChild,
    giveUp: () => provider.cancel(),
  });
}
