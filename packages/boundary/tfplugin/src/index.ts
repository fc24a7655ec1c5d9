export { lazyAnswer } from './protocol/lazy-answer.js';
export type { Lazy, NamedParts } from './protocol/lazy-answer.js';
export { protocols } from './protocol/protocol.js';
export type { ProviderMethod, ProviderMethods } from './protocol/protocol.js';
export * from './codec/index.js';
export * from './contract/index.js';
export * from './handshake/index.js';
export * from './schema/index.js';
export * from './values/index.js';
