export {
  Archive,
  Asset,
  ByteString,
  OutputValue,
  ResourceReference,
  Secret,
  UNKNOWN,
  Unknown,
  emptyMap,
  getProperty,
  isArray,
  isEmptyMap,
  isKind,
  isMap,
  isOutputValue,
  isSecret,
  isUnknown,
  kindOf,
  newMap,
  newRecord,
  propertyMap,
  secret,
  withProperty,
  withoutProperty,
} from './value.js';
export type { MutablePropertyMap, PropertyArray, PropertyMap, PropertyValue, ValueKind } from './value.js';
export {
  containsSecret,
  containsUnknown,
  mapValues,
  outputDependencies,
  plainOutputs,
  plainOutputsMap,
  plainReferencesMap,
  some,
  stripSecrets,
  stripSecretsMap,
  transform,
  transformMap,
  unknownPath,
} from './visit.js';
export { equal, equalMaps } from './equal.js';
export { fromPlain, fromPlainMap, toPlain, toPlainMap } from './plain.js';
export type { PlainValues } from './plain.js';
export { SIGNATURES, SIGNATURE_KEY } from './signatures.js';
export { SECRET_TEXT } from './secret-index.js';
export { SecretTexts, secretMask } from './secret-texts.js';
export {
  PathError,
  expandPath,
  formatPath,
  getAt,
  parsePath,
  parsePathTolerantly,
  pathContains,
  removeAt,
  setAt,
} from './path.js';
export type { PathSegment, PropertyPath } from './path.js';
export { changedKeys, diffMaps } from './diff.js';
export type { PropertyChange } from './diff.js';
