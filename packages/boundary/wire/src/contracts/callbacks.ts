import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { HookBinding } from './hook-binding.js';
import type { CallbackReference } from './monitor.js';
import type { AliasRequest } from './alias-request.js';
import type { CustomTimeoutTexts } from './provider.js';

/**
 * Functions of the program that the engine calls, as their server sees them: transforms, hooks, state migrations.
 * `request` and the answer are encoded messages of the callback's kind; an empty answer is an answer.
 */
// [PRG-13]
export interface Callbacks {
  /** Refuses with INVALID_ARGUMENT for a token nobody registered. */
  invoke(token: string, request: Uint8Array): Promise<Uint8Array>;
}

/**
 * Functions of the program as the engine calls them, by kind. Rejects with StatusError when the function threw or could
 * not be reached, and when its answer cannot be read. Values go out as they are, with secrets, unknowns, references and
 * output values; texts that are not UTF-8 only to who accepts them, else the call is refused before anything is sent.
 */
export interface ProgramCallbacks {
  resourceHook(callback: CallbackReference, request: ResourceHookRequest): Promise<ResourceHookResponse>;
  errorHook(callback: CallbackReference, request: ErrorHookRequest): Promise<ErrorHookResponse>;
  transform(callback: CallbackReference, request: TransformRequest): Promise<TransformResponse>;
  transformInvoke(
    callback: CallbackReference,
    request: TransformInvokeRequest,
  ): Promise<TransformInvokeResponse>;
  /** Lets go of the connections. Never throws. */
  close(): void;
}

/** Options of a resource as transforms see them and answer them. Empty texts and lists: not set. */
export interface CallbackOptions {
  readonly dependsOn: readonly string[];
  readonly protect: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly version: string;
  readonly aliases: readonly AliasRequest[];
  /** Provider reference text. */
  readonly provider: string;
  /** By package. */
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

/** What a hook is told. Which maps and options are there depends on the moment. */
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

/** `error`: why the hook failed; empty when it did not. */
export interface ResourceHookResponse {
  readonly error: string;
}

/** What an error hook is told about a call that failed. */
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
  /** Every error so far, newest first. */
  readonly errors: readonly string[];
  readonly oldOptions: HookOptions | undefined;
  readonly newOptions: HookOptions | undefined;
}

/** `error`: why the hook itself failed; empty when it did not. */
export interface ErrorHookResponse {
  readonly error: string;
  readonly retry: boolean;
}

/** A registration on its way, for a transform. */
export interface TransformRequest {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** Empty: none. */
  readonly parent: string;
  /** Output values kept. */
  readonly properties: PropertyMap;
  readonly options: CallbackOptions;
}

/** What a transform made of it; an absent part stays as it was. */
export interface TransformResponse {
  readonly properties: PropertyMap | undefined;
  readonly options: CallbackOptions | undefined;
}

/** A question to a provider on its way, for a transform. */
export interface TransformInvokeRequest {
  readonly token: string;
  /** Output values kept. */
  readonly args: PropertyMap;
  readonly options: InvokeOptions;
}

/** What a transform made of it; an absent part stays as it was. */
export interface TransformInvokeResponse {
  readonly args: PropertyMap | undefined;
  readonly options: InvokeOptions | undefined;
}

/** Options of a question to a provider. Empty texts: not set. */
export interface InvokeOptions {
  readonly provider: string;
  readonly pluginDownloadUrl: string;
  readonly version: string;
  readonly pluginChecksums: Readonly<Record<string, Uint8Array>>;
}
