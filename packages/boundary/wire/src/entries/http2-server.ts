/** gRPC server over Node's own HTTP/2, without the general gRPC library. For processes that start often. */
export { startHttp2Server } from '../rpc/http2-server.js';
export type { RunningServer } from '../rpc/grpc-server.js';
export { privateSocket } from '../rpc/private-socket.js';
export { service } from '../rpc/service.js';
export type { Service } from '../rpc/service.js';
export { healthService } from '../health/server.js';
