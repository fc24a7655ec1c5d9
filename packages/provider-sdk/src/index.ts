/** What a provider author imports. */
export { defineFunction, defineProvider, defineResource } from './definition.js';
export type {
  AnyFunction,
  AnyResource,
  FunctionDefinition,
  HandlerContext,
  InputDiff,
  ObjectState,
  ProviderDefinition,
  ReadObject,
  ResourceDefinition,
} from './definition.js';
export { Property, s } from './schema/property.js';
export type {
  ArgsOf,
  DeepInput,
  ListLimits,
  NumberLimits,
  Presence,
  PropertySpec,
  Shape,
  ShapeSpec,
  StringLimits,
  TypeSpec,
  ValuesOf,
} from './schema/property.js';
export { packageSchema } from './schema/package-schema.js';
export { InitFailed, isInitFailed } from './provider/init-failed.js';
export { toProvider } from './provider/defined-provider.js';
// The contract's words that authors need: what a provider is, and errors that say whether something was done.
export { ProviderError, isProviderError } from '@cairn/wire';
export type { CheckFailure, Provider, StatusName } from '@cairn/wire';
