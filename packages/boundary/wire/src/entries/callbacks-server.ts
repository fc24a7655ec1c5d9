export { CallbackFunctions, callbacksService } from '../callbacks/server.js';
export { startHttp2Server } from '../rpc/http2-server.js';
