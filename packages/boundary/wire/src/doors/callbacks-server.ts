export { CallbackFunctions, callbacksService } from '../callbacks/server.js';
export { startHttp2Server } from '../rpc/http2-server.js';
export type { Http2ServerOptions, MutualServerTls } from '../rpc/http2-listener.js';
