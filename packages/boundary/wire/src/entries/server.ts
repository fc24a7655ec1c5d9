/** gRPC server for any of the services, unary and framed. */
export { startServer } from '../rpc/grpc-server.js';
export type { RunningServer } from '../rpc/grpc-server.js';
export { watchedServices } from '../rpc/call-watch.js';
export type { CallWatch } from '../rpc/call-watch.js';
export { privateSocket } from '../rpc/private-socket.js';
export type { Service } from '../rpc/service.js';
export { healthService } from '../health/server.js';
export { sameUserGuard } from '../rpc/peers/peer-guard.js';
