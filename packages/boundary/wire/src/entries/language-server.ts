export { languageService } from '../language/server.js';
