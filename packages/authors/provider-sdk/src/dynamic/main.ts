import process from 'node:process';
import { toPluginProvider } from '../provider/defined-provider.js';
import { serveProvider } from '../plugin/serve-provider.js';
import { storedProvider } from './stored-provider.js';

// Main module of the plugin that serves the dynamic providers of programs. The package of the SDK contains its bundle.
process.setSourceMapsEnabled(true);
await serveProvider(toPluginProvider(storedProvider, process.cwd()), true);
