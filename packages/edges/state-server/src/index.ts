/** The HTTP state service: its store, its keys and its start. */
export { listTokens, makeToken, removeToken } from './calls/tokens.js';
export { isKeyUrl, masterKeyOf } from './crypto/master-key.js';
export type { MasterKey } from './crypto/master-key.js';
export { stackKeys } from './crypto/stack-keys.js';
export type { StackKeys } from './crypto/stack-keys.js';
export { rotateKeys } from './operations/rotate-keys.js';
export type { Role } from './domain/roles.js';
export { serviceLog } from './operations/service-log.js';
export type { ServiceLog } from './operations/service-log.js';
export { trustedProxies } from './domain/trusted-proxies.js';
export { startService } from './operations/start-service.js';
export { tlsFiles } from './operations/tls-files.js';
export type { TlsFiles } from './operations/tls-files.js';
export type { ListenAddress } from './operations/listen.js';
export type { RunningService } from './operations/start-service.js';
export { openBucketStore } from './store/bucket/bucket-store.js';
export { openPostgresStore } from './store/postgres/postgres-store.js';
export type { ServiceStore } from './store/service-store.js';
