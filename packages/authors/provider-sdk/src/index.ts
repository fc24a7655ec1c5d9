/** The API of provider authors. */
export { defineMethod, defineResource } from './definition.js';
export type {
  AnyMethod,
  AnyResourceDefinition,
  CallTimeouts,
  InputDiff,
  MethodDefinition,
  StateMigration,
  ObjectState,
  ReadObject,
  ResourceDefinition,
  ViewOf,
} from './definition.js';
export { defineComponent, defineComponentMethod } from './component-definition.js';
export type {
  AnyComponent,
  AnyComponentMethod,
  ComponentArgsOf,
  ComponentDefinition,
  ComponentMethodDefinition,
} from './component-definition.js';
export { defineFunction, defineProvider } from './package-definition.js';
export type {
  AnyFunction,
  FunctionDefinition,
  PackageParameters,
  ParameterizedPackage,
  ProviderDefinition,
} from './package-definition.js';
export type { HandlerContext, HandlerLog, RetryOptions } from './handler-context.js';
export { Property, s } from './schema/property.js';
export type {
  ArgsOf,
  DeepInput,
  ListLimits,
  NamingRules,
  NumberLimits,
  Presence,
  PropertySpec,
  ReportedOf,
  Shape,
  ShapeSpec,
  StringLimits,
  TypeSpec,
  ValueOfProperty,
  ValuesOf,
} from './schema/property.js';
export { packageSchema } from './schema/package-schema.js';
export { InitFailed, isHandlerInitFailed } from './provider/init-failed.js';
export { toProvider } from './provider/defined-provider.js';
export type { PlainValues } from '@cairn/values';
// Parts of the contract that authors need: the provider interface, and errors that say whether something was done.
export { ProviderError, isProviderError } from '@cairn/wire';
export type { CheckFailure, Provider, StatusName } from '@cairn/wire';
// For providers that start processes.
export { withoutOwnSecrets } from '@cairn/values/own-secrets';
