import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { Provider } from '@cairn/wire';
import { serveProvider } from './serve-provider.js';

// An engine runs this with the path of a module whose default export creates a provider, and with its own address. The
// provider is served as a plugin process instead of being loaded by the engine.
const { default: make } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as {
  readonly default: () => Provider;
};
await serveProvider(make(), true);
