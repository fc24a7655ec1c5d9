export { LanguageClient } from '../language/client.js';
export type { LanguageClientOptions } from '../language/client.js';
