import type { ProviderReference, Urn } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { AliasRequest } from './alias-request.js';
import type { HookBinding } from './hook-binding.js';
import type { PropertyDiff } from './property-diff.js';
import type { View, ViewPublishing } from './resource-status.js';

/**
 * A configured (or not yet configured) instance that manages resources: what the engine asks of a provider, in our own
 * terms. Implemented by the gRPC client, by builtin providers, by the Terraform bridge and by mocks.
 * Maps in and out hold plain values, secrets, unknowns (preview only) and references; output values only where said.
 * Errors: {@link ProviderError}, {@link InitFailedError}, {@link MissingConfigError}, {@link InputPropertiesError};
 * anything else thrown counts as {@link ProviderError} with code UNKNOWN.
 */
// Rules: [PROV-10] to [PROV-18].
export interface Provider {
  /** First call after the connection. `undefined`: the peer does not know it, capabilities come from `configure`. */
  handshake(request: HandshakeRequest): Promise<Capabilities | undefined>;
  /** Turns a base plugin into another package. */
  parameterize(request: ParameterizeRequest): Promise<ParameterizeResponse>;
  /** Version of the plugin; empty when it has none. */
  getPluginInfo(): Promise<PluginInfo>;
  /** Package schema as JSON text. */
  getSchema(request: GetSchemaRequest): Promise<string>;
  checkConfig(request: CheckConfigRequest): Promise<CheckResponse>;
  diffConfig(request: DiffConfigRequest): Promise<DiffResponse>;
  configure(request: ConfigureRequest): Promise<Capabilities>;
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): Promise<DiffResponse>;
  create(request: CreateRequest): Promise<CreateResponse>;
  read(request: ReadRequest): Promise<ReadResponse>;
  update(request: UpdateRequest): Promise<UpdateResponse>;
  /** An {@link InitFailedError} says what the object is like that could not be deleted. */
  delete(request: DeleteRequest): Promise<void>;
  invoke(request: InvokeRequest): Promise<InvokeResponse>;
  construct(request: ConstructRequest): Promise<ConstructResponse>;
  call(request: CallRequest): Promise<CallResponse>;
  /**
   * What it promises beyond the common protocol, per type; it is the same for the life of the instance. Called once,
   * after `configure`. Absent, or answered with nothing: nothing.
   */
  extras?(): Promise<ProviderExtras | undefined>;
  /**
   * Objects that a create may have made without its answer having arrived: those with the token, or of the name that
   * these inputs give. Only for types whose extras say so.
   */
  lookup?(request: LookupRequest): Promise<LookupResponse>;
  /** Objects of one type that exist, whether or not anything manages them. */
  list?(request: ListRequest): Promise<ListResponse>;
  /** How names of another ecosystem map to this package; undefined when there is no mapping. */
  getMapping?(request: { readonly key: string; readonly provider: string }): Promise<Mapping | undefined>;
  /** Providers of the other ecosystem for which there is a mapping. */
  getMappings?(request: { readonly key: string }): Promise<readonly string[]>;
  /** Tells a provider that was not launched by the engine where the engine is. */
  attach?(address: string): Promise<void>;
  /**
   * A pass of the operation has ended, and another one may follow. Resolves when all that was said of its calls has
   * arrived. Absent: there is nothing to do.
   */
  endPass?(): Promise<void>;
  /** Whether a process that it works with has ended, so that it answers nothing any more. Absent: only a call tells. */
  ended?(): boolean;
  /** Asks the provider to give up what it is doing. Advisory. */
  cancel(): Promise<void>;
  /** Lets go of the instance; the plugin process ends when nobody uses it any more. Never throws. */
  close(): Promise<void>;
}

/** What a provider can do and accept. */
export interface Capabilities {
  readonly acceptSecrets: boolean;
  readonly acceptResources: boolean;
  readonly acceptOutputs: boolean;
  /** Create and update may be called in preview. */
  readonly supportsPreview: boolean;
  readonly supportsAutonaming: boolean;
  /** Texts that are not UTF-8 may be sent. Absent: no. */
  readonly acceptByteStrings?: boolean | undefined;
  /** Arguments of functions may hold output values, and so may answers. Absent: no. */
  readonly acceptOutputsInInvoke?: boolean | undefined;
  /** The same for methods, whatever `acceptOutputs` says. Absent: no. */
  readonly acceptOutputsInCall?: boolean | undefined;
  /** The same for inputs that are checked. Absent: no. */
  readonly acceptOutputsInCheck?: boolean | undefined;
  /** Its settings are all that counts: it is no other one under another id. Absent: who knows. Not sent to peers. */
  readonly settingsOnly?: boolean | undefined;
}

/** What a provider of ours promises about its types, so that an interrupted operation can be continued. */
// [PROV-20]
export interface ProviderExtras {
  /** Calls with an effect at a time, over all its types. Absent: no limit of its own. */
  readonly maxInFlight?: number | undefined;
  /** By type token; `*` stands for every type that has no line of its own. */
  readonly types: Readonly<Record<string, TypeExtras>>;
}

export interface TypeExtras {
  /**
   * A create that is repeated with the same token and the same inputs makes no second object: it answers with the first
   * one. `maxLength`: of the token, in characters; absent: 52.
   */
  readonly idempotencyToken?: { readonly maxLength?: number | undefined } | undefined;
  /** {@link Provider.lookup} finds objects of this type. */
  readonly lookup?: boolean | undefined;
  /** How long an object may be there before a look-up finds it. Seconds; absent: 30. */
  readonly settleSeconds?: number | undefined;
  /** Its objects hold data that a new object in their place does not have. */
  readonly holdsData?: boolean | undefined;
  /** Calls with an effect at a time, for this type. */
  readonly maxInFlight?: number | undefined;
  /** Names of inputs whose values, together, only one call with an effect at a time may have. */
  readonly exclusive?: readonly string[] | undefined;
  /**
   * What an answer to {@link Provider.read} is made of: the object as it is, or the record that the request told.
   * Absent: it does not say, and an answer that repeats the request proves nothing.
   */
  readonly reads?: 'world' | 'record' | undefined;
  /** Calls that come to the same end when they come again with the same request. Absent: none. */
  readonly repeatable?: readonly RepeatableCall[] | undefined;
}

/** A call about an object that is there already. */
type RepeatableCall = 'update' | 'delete';

/** What is known of an object that a create may have made. */
export interface LookupRequest extends ResourceIdentity {
  /** Checked inputs of the create. */
  readonly inputs: PropertyMap;
  /** Token of the create; empty when none is known. */
  readonly token: string;
}

/** Every object that may be the one, each once. */
export interface LookupResponse {
  readonly found: readonly { readonly id: string }[];
}

export interface HandshakeRequest {
  readonly engineAddress: string;
  readonly rootDirectory?: string | undefined;
  readonly programDirectory?: string | undefined;
  /** Functions are told whether the deployment is a preview; our own engine always does. */
  readonly invokeWithPreview?: boolean | undefined;
  /** Where schemas of packages, and mappings from another ecosystem, are served; absent: nowhere. */
  readonly loaderAddress?: string | undefined;
  readonly mapperAddress?: string | undefined;
  /** Where it is told which plugin a package comes from; absent: nowhere. */
  readonly resolverAddress?: string | undefined;
}

export interface PluginInfo {
  readonly version: string;
}

export interface ParameterizeRequest {
  readonly parameters:
    | { readonly kind: 'args'; readonly args: readonly string[] }
    | { readonly kind: 'value'; readonly name: string; readonly version: string; readonly value: Uint8Array };
}

export interface ParameterizeResponse {
  readonly name: string;
  readonly version: string;
}

export interface GetSchemaRequest {
  readonly version: number;
  readonly subpackageName?: string | undefined;
  readonly subpackageVersion?: string | undefined;
}

/** What every call about one resource carries. `name` and `type` repeat the URN's. */
export interface ResourceIdentity {
  readonly urn: Urn;
  readonly name: string;
  readonly type: string;
}

export interface CheckConfigRequest extends ResourceIdentity {
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
}

/** One input the provider refuses. `property` may be empty. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface CheckResponse {
  readonly inputs: PropertyMap;
  readonly failures: readonly CheckFailure[];
}

export interface DiffConfigRequest extends ResourceIdentity {
  readonly oldInputs: PropertyMap;
  readonly oldOutputs: PropertyMap;
  readonly news: PropertyMap;
  readonly ignoreChanges: readonly string[];
}

export interface ConfigureRequest extends ResourceIdentity {
  /** Id of the provider's entry; the unknown id for a new provider in preview. */
  readonly id: string;
  readonly inputs: PropertyMap;
}

/** How far a generated name may be changed by the provider. */
// [REG-15]
export interface Autonaming {
  readonly proposedName: string;
  readonly mode: 'propose' | 'enforce' | 'disable';
}

export interface CheckRequest extends ResourceIdentity {
  /** Checked inputs of the prior entry; undefined when there is none or it must not count. */
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
  /** `news` with output values, for providers that take them. Absent: no property depends on anything. */
  readonly newsWithOutputs?: PropertyMap | undefined;
  /** Outputs of the prior entry, where `olds` are its inputs. Absent: there is none, or it must not count. */
  readonly oldOutputs?: PropertyMap | undefined;
  /** 32 bytes. */
  readonly randomSeed: Uint8Array;
  readonly allowUnknowns: boolean;
  readonly autonaming?: Autonaming | undefined;
}

export interface DiffRequest extends ResourceIdentity {
  readonly id: string;
  readonly oldInputs: PropertyMap;
  readonly oldOutputs: PropertyMap;
  readonly news: PropertyMap;
  readonly allowUnknowns: boolean;
  readonly ignoreChanges: readonly string[];
}

/** Answer to a diff. `unknown`: the engine compares inputs itself. */
// [PROV-15]
export interface DiffResponse {
  readonly changes: 'none' | 'some' | 'unknown';
  /** Top-level keys that force a replacement. */
  readonly replaceKeys: readonly string[];
  /** Top-level keys that changed, for display. */
  readonly changedKeys: readonly string[];
  /** Keys that stay as they are, for previews. */
  readonly stableKeys: readonly string[];
  /** By property path; undefined when the provider gives no details. */
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | undefined;
  readonly deleteBeforeReplace: boolean;
}

export interface CreateRequest extends ResourceIdentity {
  readonly inputs: PropertyMap;
  /** 0: the provider's own. */
  readonly timeoutSeconds: number;
  readonly preview: boolean;
  /** Where the provider says what became of the views of the resource. Absent: nobody listens. */
  readonly views?: ViewPublishing | undefined;
  /**
   * The same for every repetition of one and the same create, another for every other one; as long as the type's extras
   * allow. Absent: the type takes none, or this is a preview.
   */
  readonly token?: string | undefined;
  /** What an earlier call said through `onProgressId`: the create has begun, and its end is to be waited for. */
  readonly progressId?: string | undefined;
  /**
   * Told as soon as the object, or the running work, has an id of its own: from then on the create can be gone on with
   * after a crash. Durable when it resolves; the provider waits for that. Absent: nobody listens.
   */
  readonly onProgressId?: ((id: string) => Promise<void>) | undefined;
}

export interface CreateResponse {
  /** Empty in preview when not known. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly refreshBeforeUpdate: boolean;
}

export interface ReadRequest extends ResourceIdentity {
  readonly id: string;
  /** Undefined for an import. */
  readonly inputs: PropertyMap | undefined;
  /** Outputs as last known; undefined for an import. */
  readonly state: PropertyMap | undefined;
  readonly timeoutSeconds: number;
  /** Where the provider says what became of the views of the resource. Absent: nobody listens. */
  readonly views?: ViewPublishing | undefined;
  /** The views the resource had. Absent: none. */
  readonly oldViews?: readonly View[] | undefined;
}

/** `undefined` outputs or an empty id: the object does not exist. `undefined` inputs: the provider reports none. */
export interface ReadResponse {
  readonly id: string;
  readonly inputs: PropertyMap | undefined;
  readonly outputs: PropertyMap | undefined;
  readonly refreshBeforeUpdate: boolean;
}

export interface UpdateRequest extends ResourceIdentity {
  readonly id: string;
  readonly oldInputs: PropertyMap;
  readonly oldOutputs: PropertyMap;
  readonly news: PropertyMap;
  readonly timeoutSeconds: number;
  readonly ignoreChanges: readonly string[];
  readonly preview: boolean;
  /** Where the provider says what became of the views of the resource. Absent: nobody listens. */
  readonly views?: ViewPublishing | undefined;
  /** The views the resource had. Absent: none. */
  readonly oldViews?: readonly View[] | undefined;
}

export interface UpdateResponse {
  readonly outputs: PropertyMap;
  readonly refreshBeforeUpdate: boolean;
}

export interface DeleteRequest extends ResourceIdentity {
  readonly id: string;
  readonly oldInputs: PropertyMap;
  readonly oldOutputs: PropertyMap;
  readonly timeoutSeconds: number;
  /** Where the provider says what became of the views of the resource. Absent: nobody listens. */
  readonly views?: ViewPublishing | undefined;
  /** The views the resource had. Absent: none. */
  readonly oldViews?: readonly View[] | undefined;
}

export interface InvokeRequest {
  readonly token: string;
  readonly args: PropertyMap;
  /** The arguments with their output values, for providers that take them. Absent: they have none. */
  readonly argsWithOutputs?: PropertyMap | undefined;
  readonly preview: boolean;
}

export interface InvokeResponse {
  readonly result: PropertyMap;
  readonly failures: readonly CheckFailure[];
}

/** Settings of the running deployment that construct and call pass on. */
export interface DeploymentContext {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  /** `namespace:name` to text, decrypted. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly dryRun: boolean;
  readonly parallel: number;
  /** `host:port` of the resource monitor the component registers with. */
  readonly monitorAddress: string;
  /**
   * Sent back by what the component or method registers, so that its stack traces begin with the caller's. Absent:
   * none.
   */
  readonly stackTraceHandle?: string | undefined;
}

export interface ConstructRequest {
  readonly context: DeploymentContext;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  /** Output values kept. */
  readonly inputs: PropertyMap;
  readonly inputDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly options: ConstructOptions;
}

export interface ConstructOptions {
  /** Engines may say them as they were said to them: relative to the component. */
  readonly aliases: readonly AliasRequest[];
  readonly dependencies: readonly Urn[];
  readonly protect: boolean | undefined;
  readonly providers: Readonly<Record<string, ProviderReference>>;
  readonly additionalSecretOutputs: readonly string[];
  readonly customTimeouts: CustomTimeoutTexts | undefined;
  readonly deletedWith: Urn | undefined;
  readonly deleteBeforeReplace: boolean | undefined;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly retainOnDelete: boolean | undefined;
  readonly replaceWith: readonly Urn[];
  readonly replacementTrigger: PropertyValue | undefined;
  /** Names of hooks of the program, by phase; the binding has no error hooks here. Undefined: none. */
  readonly hooks: HookBinding | undefined;
}

/** Durations as text (`5m`, `1h30m`). */
export interface CustomTimeoutTexts {
  readonly create: string;
  readonly update: string;
  readonly delete: string;
  /** Absent: not said. */
  readonly read?: string | undefined;
}

export interface ConstructResponse {
  readonly urn: Urn;
  readonly outputs: PropertyMap;
  readonly outputDependencies: Readonly<Record<string, readonly Urn[]>>;
}

export interface CallRequest {
  readonly context: DeploymentContext;
  readonly token: string;
  /** Output values kept; `__self__` is the receiver. */
  readonly args: PropertyMap;
  readonly argDependencies: Readonly<Record<string, readonly Urn[]>>;
}

export interface CallResponse {
  readonly result: PropertyMap;
  readonly resultDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly failures: readonly CheckFailure[];
}

export interface ListRequest {
  readonly token: string;
  readonly query: PropertyMap;
  /** At most so many results; 0: no limit. */
  readonly limit: number;
  readonly pageSize: number;
  /** Where an earlier list stopped; empty: at the start. */
  readonly continuationToken: string;
}

/** `computed`: cannot be known in this preview. `continuationToken`: empty when the list is complete. */
export interface ListResponse {
  readonly computed: boolean;
  readonly results: readonly { readonly id: string; readonly name: string }[];
  readonly continuationToken: string;
}

export interface Mapping {
  readonly provider: string;
  readonly data: Uint8Array;
}
