import process from 'node:process';
import { toPluginProvider } from '../provider/defined-provider.js';
import { serveProvider } from '../plugin/serve-provider.js';
import { storedDefinition } from './stored-provider.js';

// Main module of the plugin that serves the dynamic providers of programs. The package of the SDK contains its bundle.
process.setSourceMapsEnabled(true);
await serveProvider(toPluginProvider(storedDefinition, process.cwd()), true);
