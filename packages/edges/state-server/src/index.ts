/** The HTTP state service: its store, its keys and its start. */
export { listTokens, makeToken, removeToken } from './calls/tokens.js';
export { masterKeyOf, stackKeys } from './crypto/stack-keys.js';
export type { Role } from './domain/roles.js';
export { serviceLog } from './operations/service-log.js';
export { startService } from './operations/start-service.js';
export type { ListenAddress } from './operations/listen.js';
export type { RunningService } from './operations/start-service.js';
export { openBucketStore } from './store/bucket/bucket-store.js';
export { openPostgresStore } from './store/postgres/postgres-store.js';
export type { ServiceStore } from './store/service-store.js';
