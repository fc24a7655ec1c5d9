export { conform } from './conform.js';
export {
  compareNumbers,
  Decimal,
  equalNumbers,
  fromDouble,
  fromProgram,
  isNumber,
  numberText,
  parseNumber,
} from './decimal.js';
export { equalValues, isWhollyKnown, typeWithin } from './equal.js';
export type { Comparison } from './equal.js';
export { keysInOrder, makeSet, sameElement } from './order.js';
export { atPath, pathText, startsWith } from './path.js';
export type { PathStep, TfPath } from './path.js';
export {
  byBytes,
  equalTypes,
  hasDynamic,
  listOf,
  mapOf,
  objectOf,
  parseType,
  setOf,
  tupleOf,
  typeFromJson,
  typeJson,
} from './type.js';
export type { ObjectType, TfType } from './type.js';
export { Dynamic, isRecord, record, TfUnknown, UNKNOWN_VALUE } from './value.js';
export type { TfNumber } from './decimal.js';
export type { Bound, Refinement, TfRecord, TfValue } from './value.js';
