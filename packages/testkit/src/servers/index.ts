/** Small servers for tests that speak the protocols of cloud services, with a fault script and a log of requests. */
export { FaultScript } from './fault-script.js';
export type { FaultMatch, SeenRequest, ServerFault } from './fault-script.js';
export { startHttpServer } from './http-server.js';
export type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from './http-server.js';
