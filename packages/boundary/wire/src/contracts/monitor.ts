import type { Urn } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { AliasRequest } from './alias-request.js';
import type { HookBinding } from './hook-binding.js';
import type { CheckFailure, CustomTimeoutTexts } from './provider.js';

/**
 * Endpoint that a running program calls; one per deployment. The server adapter decodes requests to these types and
 * encodes the answers. The engine implements it; the SDK calls it through the client adapter. Handlers refuse with
 * {@link StatusError}.
 */
// Fields and defaults: [PRG-8] to [PRG-12].
export interface Monitor {
  supportsFeature(id: string): Promise<boolean>;
  getDeploymentInfo(): Promise<DeploymentInfo>;
  registerResource(request: RegisterResourceRequest): Promise<RegisterResourceResponse>;
  readResource(request: ReadResourceRequest): Promise<ReadResourceResponse>;
  existsResource(request: ExistsResourceRequest): Promise<ExistsResourceResponse>;
  registerResourceOutputs(request: RegisterResourceOutputsRequest): Promise<void>;
  invoke(request: MonitorInvokeRequest): Promise<MonitorInvokeResponse>;
  call(request: MonitorCallRequest): Promise<MonitorCallResponse>;
  registerPackage(request: RegisterPackageRequest): Promise<{ readonly ref: string }>;
  registerStackTransform(callback: CallbackReference): Promise<void>;
  registerStackInvokeTransform(callback: CallbackReference): Promise<void>;
  registerResourceHook(request: RegisterHookRequest): Promise<void>;
  registerErrorHook(request: { readonly name: string; readonly callback: CallbackReference }): Promise<void>;
  /** Answers when the whole deployment is done, including its deletes. */
  signalAndWaitForShutdown(): Promise<void>;
}

/** Admission of requests, in the order of their arrival. */
export interface Intake {
  /** True if a request that arrives may be decoded at once. */
  readonly open: boolean;
  /** Calls `enter` once, when the turn of the request has come. `enter` must not throw. */
  wait(enter: () => void): void;
}

export interface DeploymentInfo {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  /** Feature ids of the protocol, e.g. `secrets`, `resourceReferences`, `invokeDependsOn`. */
  // [PRG-7]
  readonly features: readonly string[];
}

/** Function in another process; `target` is `host:port`. */
export interface CallbackReference {
  readonly target: string;
  readonly token: string;
  /** True if texts that are not UTF-8 may be sent. Defaults to false. */
  readonly acceptsByteStrings?: boolean | undefined;
}

/** Position in the program's source: a `file://` URI, line and column from 1. */
export interface SourcePosition {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

/** Kinds of values that the sender of a request accepts in an answer. */
// [PRG-8]
export interface AcceptFlags {
  readonly secrets: boolean;
  readonly resources: boolean;
  readonly partialValues: boolean;
  readonly resultReporting: boolean;
  /** True if texts that are not UTF-8 are accepted. Defaults to false. */
  readonly byteStrings?: boolean | undefined;
}

/** Selects the plugin that serves the resource when no provider is given. Empty texts mean not set. */
export interface PackageSelector {
  readonly version: string;
  readonly pluginDownloadUrl: string;
  /** SHA-256 bytes by `os-arch`. */
  readonly pluginChecksums: Readonly<Record<string, Uint8Array>>;
  readonly packageRef: string;
}

export interface RegisterResourceRequest {
  readonly type: string;
  readonly name: string;
  /** Empty if there is none. */
  readonly parent: string;
  readonly custom: boolean;
  readonly remote: boolean;
  /** Contains output values. */
  readonly inputs: PropertyMap;
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Text of a provider reference; empty if not given. */
  readonly provider: string;
  readonly providers: Readonly<Record<string, string>>;
  readonly package: PackageSelector;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly hideDiffs: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly aliases: readonly AliasRequest[];
  readonly importId: string;
  readonly customTimeouts: CustomTimeoutTexts;
  readonly deletedWith: string;
  readonly replaceWith: readonly string[];
  readonly replacementTrigger: PropertyValue | undefined;
  readonly transforms: readonly CallbackReference[];
  readonly hooks: HookBinding | undefined;
  readonly sourcePosition: SourcePosition | undefined;
  readonly stackTrace: readonly (SourcePosition | undefined)[];
  /** Handle of the stack frames of the caller of the constructor or method that sends this. Optional. */
  readonly parentStackTraceHandle?: string | undefined;
  readonly accepts: AcceptFlags;
  readonly aliasSpecs: boolean;
  readonly envVarMappings: Readonly<Record<string, string>>;
  /** Behaviour in a rollback: `auto`, `hold` or `retain`. Undefined: inherited from the parent. */
  readonly rollback: string | undefined;
  /** Replaces the engine's token for the create. Undefined if there is none. */
  readonly idempotencyKey: string | undefined;
  /**
   * Reason why a person must approve any work on the resource or its descendants. Undefined if no approval is needed.
   */
  readonly gate: string | undefined;
  /**
   * Names of inputs of a local component that arrive with its outputs. Only for a monitor with the feature
   * `lateInputs`.
   */
  readonly lateInputs: readonly string[];
  /** UUID of the snippet that declares the resource. Set by the engine, never by programs. Optional. */
  readonly snippetId?: string | undefined;
}

export interface RegisterResourceResponse {
  readonly urn: Urn;
  /** Empty for components and for objects that preview has not created. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly propertyDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly result: 'success' | 'fail' | 'skip';
  /** True if the create was skipped: outputs count as unknown. */
  readonly unknown: boolean;
}

export interface ReadResourceRequest {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly properties: PropertyMap;
  readonly dependencies: readonly string[];
  readonly provider: string;
  readonly package: PackageSelector;
  readonly additionalSecretOutputs: readonly string[];
  readonly sourcePosition: SourcePosition | undefined;
  readonly stackTrace: readonly (SourcePosition | undefined)[];
  /** Handle of the stack frames of the caller of the constructor or method that sends this. Optional. */
  readonly parentStackTraceHandle?: string | undefined;
  readonly accepts: AcceptFlags;
}

export interface ReadResourceResponse {
  readonly urn: Urn;
  /** Id as the provider reports it. Empty if it is not known, also from an engine that does not send it. */
  readonly id: string;
  readonly properties: PropertyMap;
}

/** Query for an object by its id. Nothing is recorded. */
// [PRG-14]
export interface ExistsResourceRequest {
  readonly type: string;
  readonly id: string;
  /** Empty if there is none. */
  readonly parent: string;
  /** Properties that the provider may need besides the id to find the object. */
  readonly properties: PropertyMap;
  /** Text of a provider reference; empty if not given. */
  readonly provider: string;
  readonly package: PackageSelector;
}

/** Answer to the query. `unknown`: the answer cannot be known in this run. */
export interface ExistsResourceResponse {
  readonly exists: boolean;
  readonly unknown: boolean;
}

export interface RegisterResourceOutputsRequest {
  readonly urn: string;
  readonly outputs: PropertyMap;
  /**
   * Values of the inputs that the registration left open; a name without a value has none. Absent if no input was left
   * open, or if this is not known.
   */
  readonly lateInputs?: PropertyMap | undefined;
}

export interface MonitorInvokeRequest {
  readonly token: string;
  /** Contains output values. */
  readonly args: PropertyMap;
  readonly provider: string;
  readonly parent: string;
  readonly package: PackageSelector;
  readonly dependsOn: readonly string[];
  /** Source position of the call. Absent if not known. */
  readonly sourcePosition?: SourcePosition | undefined;
  readonly stackTrace?: readonly (SourcePosition | undefined)[] | undefined;
  /** Handle of the stack frames of the caller of the constructor or method that sends this. Optional. */
  readonly parentStackTraceHandle?: string | undefined;
  /** True if the answer may contain output values. Defaults to false. */
  readonly acceptsOutputValues?: boolean | undefined;
  readonly accepts: AcceptFlags;
}

export interface MonitorInvokeResponse {
  readonly result: PropertyMap;
  readonly failures: readonly CheckFailure[];
  readonly unknown: boolean;
}

export interface MonitorCallRequest {
  readonly token: string;
  readonly args: PropertyMap;
  readonly argDependencies: Readonly<Record<string, readonly string[]>>;
  readonly provider: string;
  readonly package: PackageSelector;
  /** True if the answer may contain output values. Defaults to false. */
  readonly acceptsOutputValues?: boolean | undefined;
  readonly sourcePosition?: SourcePosition | undefined;
  readonly stackTrace?: readonly (SourcePosition | undefined)[] | undefined;
  /** Handle of the stack frames of the caller of the constructor or method that sends this. Optional. */
  readonly parentStackTraceHandle?: string | undefined;
}

export interface MonitorCallResponse {
  readonly result: PropertyMap;
  readonly resultDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly failures: readonly CheckFailure[];
}

/**
 * Behaviour of a resource when the operation that changed it is rolled back. `auto` restores its former state.
 * `hold` leaves it to a person and reports that. `retain` keeps it as the operation made it.
 */
// [REC-6]
export type RollbackOption = 'auto' | 'hold' | 'retain';

export interface RegisterPackageRequest {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Turns the plugin into another package. */
  readonly parameterization: DerivedPackage | undefined;
  /** Makes the plugin serve this package as well. Excludes `parameterization`. */
  readonly extension?: DerivedPackage | undefined;
}

/** Parameters that make a plugin serve a package that is not its own. */
export interface DerivedPackage {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
}

export interface RegisterHookRequest {
  readonly name: string;
  readonly callback: CallbackReference;
  readonly onDryRun: boolean;
  readonly ignoreErrors: boolean;
}
