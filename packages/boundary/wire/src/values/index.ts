export { decodeStruct, decodeValue } from './decode.js';
export { encodeStruct, encodeValue } from './encode.js';
export type { DecodeOptions, EncodeOptions } from './options.js';
export { isWireValueError } from './value-error.js';
