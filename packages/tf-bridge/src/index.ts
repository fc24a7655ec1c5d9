/** Terraform providers: their processes, a client of them, what happens to one object; and Terraform's states. */
export { startProvider } from './process/start-provider.js';
export type { ProviderLimits, ProviderStart, RunningProvider } from './process/start-provider.js';
export { readHandshakeLine } from './process/handshake-line.js';
export type { Handshake, HandshakeLine } from './process/handshake-line.js';
export type { LogLevel, ProviderLog } from './process/log-line.js';
export * from './state-file/index.js';
export * from './client/index.js';
export * from './lifecycle/index.js';
