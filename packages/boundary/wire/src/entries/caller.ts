/** Connections for clients: calls over HTTP/2, one by one or framed on one stream. */
export { serviceClient } from '../rpc/caller.js';
export type { CallOptions, Caller, ServiceClient } from '../rpc/caller.js';
export { watchedCaller } from '../rpc/call-watch.js';
export type { CallEar, CallWatch, Peer } from '../rpc/call-watch.js';
export { Http2Caller } from '../rpc/http2-caller.js';
export { StreamCaller } from '../rpc/stream-caller.js';
export type { RpcRequest, RpcResponse } from '../rpc/method.js';
