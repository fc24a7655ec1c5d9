/** Schemas and values as short JSON, for tests. */
export { blockOf, parsePathNotation, readTyped, valueOf, written } from './notation.js';
export type { NotationJson, SchemaText } from './notation.js';
