export type { FunctionModel, ParameterPart } from './function-model.js';
export { noMapping, readMapping } from './mapping.js';
export type { FieldMapping, Mapping, ObjectMapping } from './mapping.js';
export { packageSchema } from './package-schema.js';
export type { PackageDetails } from './package-schema.js';
export { providerModel } from './provider-model.js';
export { STATE_PROPERTY } from './state-property.js';
export type {
  ModelOptions,
  ObjectModel,
  ProviderModel,
  ProviderSchemas,
  TokenMeaning,
} from './provider-model.js';
export type { BlockShape, Form, ObjectShape, Part } from './shape.js';
