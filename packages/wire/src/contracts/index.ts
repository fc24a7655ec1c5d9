export type * from './provider.js';
export * from './provider-errors.js';
export { STATUS_NAMES, StatusError, isStatusError, statusName, statusNumber } from './status.js';
export type { StatusDetail, StatusName } from './status.js';
export type * from './callbacks.js';
export type * from './monitor.js';
export type * from './engine-service.js';
export type * from './language.js';
export { COMPATIBLE_VERSION } from './compatible-version.js';
