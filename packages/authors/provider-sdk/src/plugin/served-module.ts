import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { Provider } from '@cairn/wire';
import { servePlugin } from './serve-plugin.js';

// Run by an engine, with the path of a module whose default export makes a provider, and its own address: the provider
// is served as a plugin process in place of being loaded by the engine.
const { default: make } = (await import(pathToFileURL(process.argv[2] ?? '').href)) as {
  readonly default: () => Provider;
};
await servePlugin(make(), true);
