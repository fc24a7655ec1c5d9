export { analyzerService } from '../analyzer/server.js';
