export { MalformedMessageError } from './malformed.js';
export { decodeMap, encodeMap } from './maps.js';
export { BinaryReader } from './reader.js';
export { asBuffer, readText, writeShortAscii } from './text.js';
export { BinaryWriter, varintSize } from './writer.js';
