export { LanguageClient } from '../language/client.js';
