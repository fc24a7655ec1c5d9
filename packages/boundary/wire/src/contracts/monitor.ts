import type { Urn } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { AliasRequest } from './alias-request.js';
import type { HookBinding } from './hook-binding.js';
import type { CheckFailure, CustomTimeoutTexts } from './provider.js';

/**
 * The door a running program talks to: one per deployment. The server adapter decodes requests to these types and
 * encodes the answers; the engine implements it; the SDK calls it through the client adapter. Handlers refuse with
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
  /** Answers when the whole deployment, deletes included, is done. */
  signalAndWaitForShutdown(): Promise<void>;
}

/** Who may come in when: in the order of arrival. */
export interface Intake {
  /** Whether the one that arrives now may be decoded at once. */
  readonly open: boolean;
  /** Calls `enter` once, when its turn has come. It must not throw. */
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

/** A function in another process: `target` is `host:port`. */
export interface CallbackReference {
  readonly target: string;
  readonly token: string;
  /** Texts that are not UTF-8 may be sent. Absent: no. */
  readonly acceptsByteStrings?: boolean | undefined;
}

/** A position in the program's source: a `file://` URI, line and column from 1. */
export interface SourcePosition {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
}

/** What the peer that sent a request can take in an answer. */
// [PRG-8]
export interface AcceptFlags {
  readonly secrets: boolean;
  readonly resources: boolean;
  readonly partialValues: boolean;
  readonly resultReporting: boolean;
  /** Texts that are not UTF-8. Absent: no. */
  readonly byteStrings?: boolean | undefined;
}

/** Which plugin serves the resource when no provider is given. Empty texts: not said. */
export interface PackageSelector {
  readonly version: string;
  readonly pluginDownloadUrl: string;
  /** `os-arch` to SHA-256 bytes. */
  readonly pluginChecksums: Readonly<Record<string, Uint8Array>>;
  readonly packageRef: string;
}

export interface RegisterResourceRequest {
  readonly type: string;
  readonly name: string;
  /** Empty: none. */
  readonly parent: string;
  readonly custom: boolean;
  readonly remote: boolean;
  /** Output values kept. */
  readonly inputs: PropertyMap;
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** Provider reference text; empty: not given. */
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
  /** Frames of whoever called the constructor or method that sends this, by the handle it was given. Absent: none. */
  readonly parentStackTraceHandle?: string | undefined;
  readonly accepts: AcceptFlags;
  readonly aliasSpecs: boolean;
  readonly envVarMappings: Readonly<Record<string, string>>;
  /** What becomes of it in a rollback: `auto`, `hold` or `retain`. Undefined: as its parent says. */
  readonly rollback: string | undefined;
  /** Takes the place of the engine's token when it is created. Undefined: none. */
  readonly idempotencyKey: string | undefined;
  /** Why somebody has to approve before anything is done about it or what is below it. Undefined: nobody has to. */
  readonly gate: string | undefined;
  /**
   * Names of inputs of a local component that come with its outputs. Only for a monitor with the feature `lateInputs`.
   */
  readonly lateInputs: readonly string[];
  /** Uuid of the snippet that declares it. The engine sets it; programs never do. Absent: none. */
  readonly snippetId?: string | undefined;
}

export interface RegisterResourceResponse {
  readonly urn: Urn;
  /** Empty for components and for objects that preview has not created. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly propertyDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly result: 'success' | 'fail' | 'skip';
  /** The create was skipped; outputs are to be taken as unknown. */
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
  /** Frames of whoever called the constructor or method that sends this, by the handle it was given. Absent: none. */
  readonly parentStackTraceHandle?: string | undefined;
  readonly accepts: AcceptFlags;
}

export interface ReadResourceResponse {
  readonly urn: Urn;
  readonly properties: PropertyMap;
}

/** A question for an object by its id; nothing of it is recorded. */
// [PRG-14]
export interface ExistsResourceRequest {
  readonly type: string;
  readonly id: string;
  /** Empty: none. */
  readonly parent: string;
  /** What the provider may need besides the id to find the object. */
  readonly properties: PropertyMap;
  /** Provider reference text; empty: not given. */
  readonly provider: string;
  readonly package: PackageSelector;
}

/** `unknown`: it cannot be known in this run. */
export interface ExistsResourceResponse {
  readonly exists: boolean;
  readonly unknown: boolean;
}

export interface RegisterResourceOutputsRequest {
  readonly urn: string;
  readonly outputs: PropertyMap;
  /** What the registration left open: a name without a value has none. Absent: nothing was, or nobody knows it. */
  readonly lateInputs?: PropertyMap | undefined;
}

export interface MonitorInvokeRequest {
  readonly token: string;
  /** Output values kept. */
  readonly args: PropertyMap;
  readonly provider: string;
  readonly parent: string;
  readonly package: PackageSelector;
  readonly dependsOn: readonly string[];
  /** Where the program asks. Absent: not known. */
  readonly sourcePosition?: SourcePosition | undefined;
  readonly stackTrace?: readonly (SourcePosition | undefined)[] | undefined;
  /** Frames of whoever called the constructor or method that sends this, by the handle it was given. Absent: none. */
  readonly parentStackTraceHandle?: string | undefined;
  /** True if the answer may hold output values. Absent: no. */
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
  /** True if the answer may hold output values. Absent: no. */
  readonly acceptsOutputValues?: boolean | undefined;
  readonly sourcePosition?: SourcePosition | undefined;
  readonly stackTrace?: readonly (SourcePosition | undefined)[] | undefined;
  /** Frames of whoever called the constructor or method that sends this, by the handle it was given. Absent: none. */
  readonly parentStackTraceHandle?: string | undefined;
}

export interface MonitorCallResponse {
  readonly result: PropertyMap;
  readonly resultDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly failures: readonly CheckFailure[];
}

export interface RegisterPackageRequest {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Makes the plugin another package. */
  readonly parameterization: PackageParameters | undefined;
  /** Makes the plugin serve this package as well. Not together with `parameterization`. */
  readonly extension?: PackageParameters | undefined;
}

/** What a plugin is told to serve a package that is not its own. */
export interface PackageParameters {
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
