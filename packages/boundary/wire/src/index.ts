/**
 * Contracts between the engine and its peers, in Cairn's own terms, and the codec for property values. The adapters
 * that put the contracts on a wire have entry points of their own (see README). A program therefore loads no server,
 * and a server no client.
 */
export * from './contracts/index.js';
export { OUR_OPTIONS, CALLBACK_OPTIONS, noRequestOptions } from './options/fields.js';
export type { OurOption, RequestOption } from './options/fields.js';
export { answerAll, intercept, override } from './intercept/provider.js';
export type { ProviderInterceptor, ProviderOverrides } from './intercept/provider.js';
export { interceptMonitor, overrideMonitor } from './intercept/monitor.js';
export { deferUnknownSettings } from './provider/unconfigured.js';
export type { DeferringProvider } from './provider/unconfigured.js';
export { EngineLog } from './engine/engine-log.js';
