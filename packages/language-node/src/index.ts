export { createNodeLanguageHost } from './language-host.js';
export type { NodeLanguageHostOptions } from './language-host.js';
export { createNodeTools } from './node-tools.js';
export { generateProject } from './generate-project.js';
