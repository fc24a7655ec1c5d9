export { CallbackFunctions, callbacksService } from '../callbacks/server.js';
export { startUnaryServer } from '../rpc/http2-server.js';
