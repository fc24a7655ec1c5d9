export { decodeStruct, decodeValue } from './decode.js';
export { encodeStruct, encodeValue } from './encode.js';
export { MAX_DEPTH } from './options.js';
export type { DecodeOptions, EncodeOptions } from './options.js';
export {
  SIGNATURES,
  SIGNATURE_KEY,
  UNKNOWN_SENTINEL,
  UNKNOWN_SENTINELS,
  isUnknownSentinel,
} from './signatures.js';
export { WireValueError, isWireValueError } from './value-error.js';
