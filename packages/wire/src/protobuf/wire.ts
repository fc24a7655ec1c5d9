export { BinaryReader } from './reader.js';
export { BinaryWriter } from './writer.js';
