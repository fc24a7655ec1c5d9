/** Connections for clients: calls over HTTP/2, one by one or framed on one stream. */
export type { CallOptions, Caller } from '../rpc/caller.js';
export { Http2Caller } from '../rpc/http2-caller.js';
export { StreamCaller } from '../rpc/stream-caller.js';
