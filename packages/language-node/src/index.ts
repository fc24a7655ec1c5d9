export { createNodeLanguageHost } from './language-host.js';
export type { NodeLanguageHostOptions } from './options.js';
