export { languageService } from '../language/server.js';
export type { LanguageServiceOptions } from '../language/server.js';
