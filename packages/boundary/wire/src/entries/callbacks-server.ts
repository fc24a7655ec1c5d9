export { CallbackFunctions, callbacksService } from '../callbacks/server.js';
