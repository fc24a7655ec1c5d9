export { MalformedMessageError } from './malformed.js';
export { decodeMap, encodeMap } from './maps.js';
export { BinaryReader } from './reader.js';
export { TextCache } from './text-cache.js';
export { asBuffer, readText, writeShortAscii } from './text.js';
export { BinaryWriter, varintSize } from './writer.js';
