/** A gRPC server for any of the services, unary and framed. */
export { startServer } from '../rpc/grpc-server.js';
export type { RunningServer, ServerOptions } from '../rpc/grpc-server.js';
export { temporarySocket } from '../rpc/socket-path.js';
export type { Service } from '../rpc/service.js';
export { healthService } from '../health/server.js';
