/** Small servers for tests that speak the protocols of cloud services, with a fault script and a log of requests. */
export { FaultScript } from './fault-script.js';
export type { FaultMatch, SeenRequest, ServerFault } from './fault-script.js';
export { startHttpServer } from './http-server.js';
export type { HttpServer, HttpServerOptions, ServerReply, ServerRequest } from './http-server.js';
export { s3ErrorBody, startS3Server } from './s3-server.js';
export type { ConditionMode, S3Object, S3Server, S3ServerOptions } from './s3-server.js';
export { startGcsServer } from './gcs/gcs-server.js';
export type { GcsServer, GcsServerOptions } from './gcs/gcs-server.js';
export { startAzurite } from './azurite.js';
export type { Azurite } from './azurite.js';
export { startFaultProxy } from './fault-proxy.js';
