/** What a program imports: outputs, resources, components, configuration. */
export {
  all,
  concat,
  interpolate,
  isSecret,
  jsonParse,
  jsonStringify,
  output,
  secret,
  unsecret,
} from './output/combine.js';
export { isOutput } from './output/brand.js';
export { OutputUseError } from './output/output.js';
export type { Input, Output, OutputHandle, Unwrap } from './output/brand.js';
export { ComponentResource, CustomResource, ProviderResource, Resource } from './resource/resource.js';
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
  ResourceOptions,
  RollbackOption,
} from './resource/options.js';
export type { AnyResource } from './resource/state.js';
export { RegistrationStopped, ResourceError, RunError } from './resource/resource-error.js';
export { Config, ConfigError } from './config/config.js';
export type { NumberLimits, StringLimits } from './config/config.js';
export { getOrganization, getProject, getStack, isDryRun } from './stack/metadata.js';
export { StackReference } from './stack/stack-reference.js';
export type { StackReferenceArgs } from './stack/stack-reference.js';
export { log } from './log.js';
export type { LogOptions } from './log.js';
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
