export { callbacksService } from '../callbacks/server.js';
