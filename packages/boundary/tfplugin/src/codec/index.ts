export { dynamicValue, readDynamicValue } from './dynamic-value.js';
export type { DynamicValueMessage } from './dynamic-value.js';
export { fromJson, toJson } from './json.js';
export { decode, encode } from './msgpack.js';
export { TfValueError } from './value-error.js';
