export { LanguageClient } from '../language/client.js';
export type { LanguageClientOptions, LinkRequest } from '../language/client.js';
