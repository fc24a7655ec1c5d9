/** Terraform providers: discovery, processes, a client; objects and Terraform's states. */
export { startProvider } from './process/start-provider.js';
export type { RunningProvider } from './process/start.js';
export * from './adopt/index.js';
export * from './state-file/index.js';
export * from './client/index.js';
export * from './lifecycle/index.js';
export * from './values/index.js';
export * from './model/index.js';
export * from './provider/index.js';
export * from './schema-cache/index.js';
