export { createProviderSource } from './registry.js';
export type { ProviderSourceOptions } from './registry.js';
export type { ProviderSource } from './provider-source.js';
export { createDefaultProviders } from './defaults.js';
export type { DefaultProviders, PackageRequest } from './defaults.js';
