import { providerExtrasService, providerService } from '@cairn/wire/provider-server';
import { servePlugin } from '../../runtime/plugin-process.js';
import { StoredProvider } from './provider.js';

// Main module of the plugin that runs stored providers.
const provider = new StoredProvider();
const services = [providerService(provider), providerExtrasService(provider)];
await servePlugin(services, () => void provider.cancel());
