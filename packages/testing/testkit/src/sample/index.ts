/** A provider with a resource of every feature, and plugins from sources in tests. */
export { bundlePlugin } from './bundled-plugin.js';
export type { BundledPlugin } from './bundled-plugin.js';
export { identity, map, sampleProvider } from './sample-provider.js';
export type { World } from './sample-provider.js';
