export { converterService } from '../converter/server.js';
