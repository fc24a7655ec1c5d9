/** gRPC server for any of the services, unary and framed, over Node's own HTTP/2. */
export { startServer } from '../rpc/server.js';
export type { RunningServer } from '../rpc/listener.js';
export { servePlugin, whenParentEnds } from '../rpc/plugin-process.js';
export { watchedServices } from '../rpc/call-watch.js';
export type { CallWatch } from '../rpc/call-watch.js';
export { privateSocket } from '../rpc/private-socket.js';
export { service } from '../rpc/service.js';
export type { Service } from '../rpc/service.js';
export { healthService } from '../health/server.js';
export { sameUserGuard } from '../rpc/peers/peer-guard.js';
export type { GuardOptions } from '../rpc/peers/peer-guard.js';
