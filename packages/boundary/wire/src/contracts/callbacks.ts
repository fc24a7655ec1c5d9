import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { HookBinding } from './hook-binding.js';
import type { CallbackReference } from './monitor.js';
import type { AliasRequest } from './alias-request.js';
import type { CustomTimeoutTexts } from './provider.js';

/**
 * Server side of the functions of a program that the engine calls: transforms, hooks, state migrations. `request` and
 * the answer are encoded messages of the callback's kind; an empty answer is valid.
 */
// [PRG-13]
export interface Callbacks {
  /** Refuses with INVALID_ARGUMENT for an unregistered token. */
  invoke(token: string, request: Uint8Array): Promise<Uint8Array>;
}

/**
 * Engine side of the functions of a program, by kind. Rejects with StatusError if the function threw, could not be
 * reached, or returned an unreadable answer. Values are sent unchanged, with secrets, unknowns, references and output
 * values. Texts that are not UTF-8 go only to callbacks that accept them; otherwise the call is refused before anything
 * is sent.
 */
export interface ProgramCallbacks {
  resourceHook(callback: CallbackReference, request: ResourceHookRequest): Promise<ResourceHookResponse>;
  errorHook(callback: CallbackReference, request: ErrorHookRequest): Promise<ErrorHookResponse>;
  transform(callback: CallbackReference, request: TransformRequest): Promise<TransformResponse>;
  transformInvoke(
    callback: CallbackReference,
    request: TransformInvokeRequest,
  ): Promise<TransformInvokeResponse>;
  /** Closes the connections. Never throws. */
  close(): void;
}

/** Options of a resource as transforms see and return them. Empty texts and lists mean not set. */
export interface CallbackOptions {
  readonly dependsOn: readonly string[];
  readonly protect: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly version: string;
  readonly aliases: readonly AliasRequest[];
  /** Text of a provider reference. */
  readonly provider: string;
  /** Provider references by package. */
  readonly providers: Readonly<Record<string, string>>;
  /** Durations as text, e.g. `5m`. */
  readonly customTimeouts: CustomTimeoutTexts | undefined;
  readonly pluginDownloadUrl: string;
  readonly pluginChecksums: Readonly<Record<string, Uint8Array>>;
  readonly retainOnDelete: boolean | undefined;
  readonly deletedWith: string;
  readonly replaceWith: readonly string[];
  readonly replacementTrigger: PropertyValue | undefined;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly additionalSecretOutputs: readonly string[];
  readonly hideDiffs: readonly string[];
  readonly importId: string;
  readonly hooks: HookBinding | undefined;
}

/** Options of a resource as hooks see them. */
export interface HookOptions extends CallbackOptions {
  readonly parent: string;
}

/** Arguments of a hook. Which maps and options are present depends on the moment. */
// [HOOK-4]
export interface ResourceHookRequest {
  readonly urn: string;
  /** Empty before the object exists. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly newInputs: PropertyMap | undefined;
  readonly oldInputs: PropertyMap | undefined;
  readonly newOutputs: PropertyMap | undefined;
  readonly oldOutputs: PropertyMap | undefined;
  readonly oldOptions: HookOptions | undefined;
  readonly newOptions: HookOptions | undefined;
}

/** Answer of a hook. `error` is the reason why it failed, or empty if it did not. */
export interface ResourceHookResponse {
  readonly error: string;
}

/** Arguments of an error hook about a failed call. */
// [HOOK-9]
export interface ErrorHookRequest {
  readonly urn: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly newInputs: PropertyMap | undefined;
  readonly oldInputs: PropertyMap | undefined;
  readonly oldOutputs: PropertyMap | undefined;
  readonly failedOperation: 'create' | 'update' | 'delete';
  /** All errors so far, newest first. */
  readonly errors: readonly string[];
  readonly oldOptions: HookOptions | undefined;
  readonly newOptions: HookOptions | undefined;
}

/** Answer of an error hook. `error` is the reason why the hook itself failed, or empty if it did not. */
export interface ErrorHookResponse {
  readonly error: string;
  readonly retry: boolean;
}

/** Registration in progress, for a transform. */
export interface TransformRequest {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** Empty if there is none. */
  readonly parent: string;
  /** Contains output values. */
  readonly properties: PropertyMap;
  readonly options: CallbackOptions;
}

/** Result of a transform. An absent part remains unchanged. */
export interface TransformResponse {
  readonly properties: PropertyMap | undefined;
  readonly options: CallbackOptions | undefined;
}

/** Invoke in progress, for a transform. */
export interface TransformInvokeRequest {
  readonly token: string;
  /** Contains output values. */
  readonly args: PropertyMap;
  readonly options: CallbackInvokeOptions;
}

/** Result of a transform of an invoke. An absent part remains unchanged. */
export interface TransformInvokeResponse {
  readonly args: PropertyMap | undefined;
  readonly options: CallbackInvokeOptions | undefined;
}

/** Options of an invoke. Empty texts mean not set. */
export interface CallbackInvokeOptions {
  readonly provider: string;
  readonly pluginDownloadUrl: string;
  readonly version: string;
  readonly pluginChecksums: Readonly<Record<string, Uint8Array>>;
}
