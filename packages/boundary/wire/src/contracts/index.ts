export type * from './provider.js';
export * from './provider-errors.js';
export { STATUS_NAMES, StatusError, isStatusError, statusName, statusNumber } from './status.js';
export type { StatusDetail, StatusName } from './status.js';
export type * from './callbacks.js';
export type * from './hook-binding.js';
export type * from './alias-request.js';
export type * from './monitor.js';
export type * from './property-diff.js';
export type * from './resource-status.js';
export type * from './engine-service.js';
export type * from './language.js';
export type * from './analyzer.js';
export type * from './schemas.js';
export { COMPATIBLE_VERSION } from './compatible-version.js';
export { PluginDiedError } from './plugin-died.js';
export type {
  ConvertedResource,
  ConvertedState,
  ConvertProgramRequest,
  Converter,
  ConvertStateRequest,
} from './converter.js';
