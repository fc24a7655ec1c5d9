import type { ProviderLoader } from '@cairn/engine';
import type { PluginSpec, Provider } from '@cairn/wire';
import { StreamCaller } from '@cairn/wire/caller';
import { ProviderClient } from '@cairn/wire/provider-client';
import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { startServer } from '@cairn/wire/server';

/** Providers of another loader behind real connections: requests and answers travel as messages. */
export class WireLoader implements ProviderLoader {
  readonly #inner: ProviderLoader;

  constructor(inner: ProviderLoader) {
    this.#inner = inner;
  }

  async load(spec: PluginSpec): Promise<Provider> {
    const provider = await this.#inner.load(spec);
    const extras = provider.extras === undefined ? [] : [providerExtrasService(provider)];
    const services = [providerService(provider), ...extras];
    const server = await startServer({ services, stream: true });
    const caller = new StreamCaller(server.address);
    const client = new ProviderClient(caller, {
      onClose: async () => {
        await provider.close();
        await server.close();
      },
    });
    await client.handshake({ engineAddress: '' });
    return client;
  }
}
