export { engineService } from '../engine/server.js';
