/** The API of programs: outputs, resources, components, configuration. */
export {
  all,
  concat,
  interpolate,
  isSecret,
  jsonParse,
  jsonStringify,
  merge,
  output,
  secret,
  unsecret,
} from './output/combine.js';
export { deferredOutput, recover } from './output/deferred.js';
export { containsUnknowns, getAllResources, isUnknown, unknown } from './output/unknown.js';
/** Functions that turn lists with outputs into objects. */
export * as iterable from './output/iterable.js';
export { isOutput } from './output/brand.js';
export { OutputUseError } from './output/output.js';
export type { Input, Output, OutputHandle, Unwrap } from './output/brand.js';
export { ComponentResource, CustomResource, ProviderResource, Resource } from './resource/resource.js';
export { registerResourceClass } from './resource/classes.js';
export type { ResourceClass } from './resource/classes.js';
export {
  DependencyResource,
  createUrn,
  parseResourceReference,
  resourceName,
  resourceType,
  rootStackResource,
} from './resource/identity.js';
export type { UrnParts } from './resource/identity.js';
export { Stash } from './resource/stash.js';
export type { StashArgs } from './resource/stash.js';
export { ErrorHook, ResourceHook } from './resource/hooks.js';
export type {
  ErrorHookArgs,
  ErrorHookFunction,
  HookProperties,
  ResourceHookArgs,
  ResourceHookBinding,
  ResourceHookFunction,
  ResourceHookOptions,
} from './resource/hooks.js';
export { registerInvokeTransform, registerResourceTransform } from './resource/transforms.js';
export type {
  InvokeTransform,
  InvokeTransformArgs,
  InvokeTransformOptions,
  InvokeTransformResult,
  ResourceTransform,
  ResourceTransformArgs,
  ResourceTransformResult,
  TransformOptions,
} from './resource/transforms.js';
export { mergeOptions } from './resource/options.js';
export type {
  Alias,
  AnyProvider,
  ComponentResourceOptions,
  CustomResourceOptions,
  CustomTimeouts,
  Gate,
  ProviderResourceOptions,
  ResourceOptions,
} from './resource/options.js';
export type { AnyResource } from './resource/state.js';
export {
  InputPropertiesError,
  InputPropertyError,
  RegistrationStopped,
  ResourceError,
  RunError,
} from './resource/resource-error.js';
export { Config, ConfigError } from './config/config.js';
export type { NumberConfigOptions, StringConfigOptions } from './config/config.js';
export {
  getOrganization,
  getProject,
  getRootDirectory,
  getStack,
  isDryRun,
  requirePulumiVersion,
} from './stack/metadata.js';
export { StackReference } from './stack/stack-reference.js';
export type { StackReferenceArgs } from './stack/stack-reference.js';
export { log } from './log.js';
export type { LogOptions } from './log.js';
export { dynamicProvider } from './dynamic/provider.js';
export type {
  DynamicContext,
  DynamicDefinition,
  DynamicDiff,
  DynamicFailure,
  DynamicHandlers,
  DynamicObject,
  DynamicProvider,
  KnownObject,
} from './dynamic/provider.js';
export { dynamicResource } from './dynamic/resource.js';
export type {
  DynamicInputs,
  DynamicResource,
  DynamicResourceClass,
  DynamicResourceOptions,
} from './dynamic/resource.js';
export { InvokeError, call, invoke } from './invoke.js';
export type { InvokeOptions } from './invoke.js';
export {
  Archive,
  Asset,
  AssetArchive,
  FileArchive,
  FileAsset,
  RemoteArchive,
  RemoteAsset,
  StringAsset,
} from './assets.js';
export type { RollbackOption } from '@cairn/wire';
