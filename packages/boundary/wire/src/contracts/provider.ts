import type { ProviderReference, Urn } from '@cairn/addresses';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { AliasRequest } from './alias-request.js';
import type { HookBinding } from './hook-binding.js';
import type { PropertyDiff } from './property-diff.js';
import type { View, ViewPublishing } from './resource-status.js';

/**
 * Instance that manages resources, configured or not yet: the engine's requests to a provider, in Cairn's own terms.
 * Implemented by the gRPC client, by builtin providers, by the Terraform bridge and by mocks. Maps in both directions
 * contain plain values, secrets, unknowns (preview only) and references. They contain output values only where
 * documented. Errors: {@link ProviderError}, {@link InitFailedError}, {@link MissingConfigError}, {@link
 * InputPropertiesError}. Anything else that is thrown counts as {@link ProviderError} with code UNKNOWN.
 */
// Rules: [PROV-10] to [PROV-18].
export interface Provider {
  /**
   * First call after the connection. Returns `undefined` if the peer does not know it; capabilities then come from
   * `configure`.
   */
  handshake(request: HandshakeRequest): Promise<Capabilities | undefined>;
  /** Turns a base plugin into another package. */
  parameterize(request: ParameterizeRequest): Promise<ParameterizeResponse>;
  /** Returns the version of the plugin; empty if it has none. */
  getPluginInfo(): Promise<PluginInfo>;
  /** Returns the package schema as JSON text. */
  getSchema(request: GetSchemaRequest): Promise<string>;
  checkConfig(request: CheckConfigRequest): Promise<CheckResponse>;
  diffConfig(request: DiffConfigRequest): Promise<DiffResponse>;
  configure(request: ConfigureRequest): Promise<Capabilities>;
  check(request: CheckRequest): Promise<CheckResponse>;
  diff(request: DiffRequest): Promise<DiffResponse>;
  create(request: CreateRequest): Promise<CreateResponse>;
  read(request: ReadRequest): Promise<ReadResponse>;
  update(request: UpdateRequest): Promise<UpdateResponse>;
  /** Deletes the object. If it cannot be deleted, an {@link InitFailedError} describes the object. */
  delete(request: DeleteRequest): Promise<void>;
  invoke(request: InvokeRequest): Promise<InvokeResponse>;
  construct(request: ConstructRequest): Promise<ConstructResponse>;
  call(request: CallRequest): Promise<CallResponse>;
  /**
   * Returns promises beyond the common protocol, per type. They are constant for the life of the instance. Called once,
   * after `configure`. An absent method or `undefined` means no promises.
   */
  extras?(): Promise<ProviderExtras | undefined>;
  /**
   * Finds objects that a create may have made although its answer did not arrive. These are objects with the token, or
   * with the name that these inputs give. Only for types whose extras declare it.
   */
  lookup?(request: LookupRequest): Promise<LookupResponse>;
  /** Lists existing objects of one type, managed or not. */
  list?(request: ListRequest): Promise<ListResponse>;
  /** Returns the mapping of names of another ecosystem to this package, or undefined if there is none. */
  getMapping?(request: {
    readonly key: string;
    readonly provider: string;
  }): Promise<ProviderMapping | undefined>;
  /** Lists the providers of the other ecosystem that have a mapping. */
  getMappings?(request: { readonly key: string }): Promise<readonly string[]>;
  /** Sends the engine's address to a provider that was not launched by the engine. */
  attach?(address: string): Promise<void>;
  /**
   * Notifies the provider that a pass of the operation has ended; another one may follow. Resolves when all messages
   * about its calls have arrived. Absent if there is nothing to do.
   */
  endPass?(): Promise<void>;
  /**
   * True if a process behind the provider has ended, so that no further call is answered. If absent, only a call can
   * show it.
   */
  ended?(): boolean;
  /** Asks the provider to stop its work. Advisory. */
  cancel(): Promise<void>;
  /** Releases the instance; the plugin process ends when its last user releases it. Never throws. */
  close(): Promise<void>;
}

/** Abilities of a provider and the values it accepts. */
export interface Capabilities {
  readonly acceptSecrets: boolean;
  readonly acceptResources: boolean;
  readonly acceptOutputs: boolean;
  /** True if create and update may be called in preview. */
  readonly supportsPreview: boolean;
  readonly supportsAutonaming: boolean;
  /** True if texts that are not UTF-8 may be sent. Defaults to false. */
  readonly acceptByteStrings?: boolean | undefined;
  /** True if arguments and answers of functions may contain output values. Defaults to false. */
  readonly acceptOutputsInInvoke?: boolean | undefined;
  /** True if those of methods may contain them, whatever `acceptOutputs` says. Defaults to false. */
  readonly acceptOutputsInCall?: boolean | undefined;
  /** True if inputs to check may contain them. Defaults to false. */
  readonly acceptOutputsInCheck?: boolean | undefined;
  /**
   * True if the provider is defined by its settings alone: under another id it is still the same. Absent if not known.
   * Not sent to peers.
   */
  readonly settingsOnly?: boolean | undefined;
}

/** Promises of a Cairn provider about its types, so that an interrupted operation can be continued. */
// [PROV-20]
export interface ProviderExtras {
  /**
   * Maximum number of concurrent calls with an effect, over all its types. If absent, the provider has no limit of its
   * own.
   */
  readonly maxInFlight?: number | undefined;
  /** Extras by type token; `*` applies to every type that has no row of its own. */
  readonly types: Readonly<Record<string, TypeExtras>>;
}

export interface TypeExtras {
  /**
   * A create that is repeated with the same token and the same inputs makes no second object: it returns the first one.
   * `maxLength` is the token's maximum length in characters. Defaults to 52.
   */
  readonly idempotencyToken?: { readonly maxLength?: number | undefined } | undefined;
  /** True if {@link Provider.lookup} finds objects of this type. */
  readonly lookup?: boolean | undefined;
  /** Maximum number of seconds from a create until a look-up finds the object. Defaults to 30. */
  readonly settleSeconds?: number | undefined;
  /** True if its objects contain data that a replacement does not have. */
  readonly holdsData?: boolean | undefined;
  /** Maximum number of concurrent calls with an effect, for this type. */
  readonly maxInFlight?: number | undefined;
  /** Names of inputs. Only one call with an effect at a time may have the same combination of their values. */
  readonly exclusive?: readonly string[] | undefined;
  /**
   * Source of an answer to {@link Provider.read}: the object itself, or the record in the request. If absent, an answer
   * that repeats the request proves nothing.
   */
  readonly reads?: 'world' | 'record' | undefined;
  /** Calls that have the same result when they are repeated with the same request. Defaults to none. */
  readonly repeatable?: readonly RepeatableCall[] | undefined;
  /**
   * `arguments` if check and diff are functions of their arguments and of the provider's version and configuration. The
   * inputs that a check returned must pass another check unchanged, and an object that was made or altered with them
   * must have no diff. Then the engine may answer from state what it has asked before. By default it asks.
   */
  readonly compares?: 'arguments' | undefined;
  /** True if a create never calls `onProgressId`. Without a token it is then an ordinary call. Defaults to false. */
  readonly plainCreate?: boolean | undefined;
}

/** Call about an existing object. */
type RepeatableCall = 'update' | 'delete';

/** Known facts about an object that a create may have made. */
export interface LookupRequest extends ResourceIdentity {
  /** Checked inputs of the create. */
  readonly inputs: PropertyMap;
  /** Token of the create; empty if none is known. */
  readonly token: string;
}

/** Every candidate object, each once. */
export interface LookupResponse {
  readonly found: readonly { readonly id: string }[];
}

export interface HandshakeRequest {
  readonly engineAddress: string;
  readonly rootDirectory?: string | undefined;
  readonly programDirectory?: string | undefined;
  /** True if functions receive the preview flag of the deployment; Cairn's engine always sends it. */
  readonly invokeWithPreview?: boolean | undefined;
  /** Address of the schema loader and of the mapper for another ecosystem. Optional. */
  readonly loaderAddress?: string | undefined;
  readonly mapperAddress?: string | undefined;
  /** Address of the package resolver. Optional. */
  readonly resolverAddress?: string | undefined;
  /**
   * Returns the answers that a provider in this process may keep for the next operation. Undefined if it may keep none.
   * Optional. Not sent to peers.
   */
  readonly keptAnswers?: (() => Promise<KeptAnswers | undefined>) | undefined;
}

/** Digests of requests whose answer an earlier operation on the stack knows. */
export interface KeptAnswers {
  /** Key for the digests, 32 bytes. Only keyed digests may be kept: requests contain secrets. */
  readonly key: Uint8Array;
  /** Tells whether a digest was kept. One that is asked for is kept for the next operation too. */
  has(digest: string): boolean;
  /** Keeps a digest of 16 characters, each of which has the value of a byte. */
  keep(digest: string): void;
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

/** Fields of every call about one resource. `name` and `type` repeat the URN's. */
export interface ResourceIdentity {
  readonly urn: Urn;
  readonly name: string;
  readonly type: string;
}

export interface CheckConfigRequest extends ResourceIdentity {
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
}

/** Input that the provider refuses. `property` may be empty. */
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

/** Freedom of the provider to change a generated name. */
// [REG-15]
export interface Autonaming {
  readonly proposedName: string;
  readonly mode: 'propose' | 'enforce' | 'disable';
}

export interface CheckRequest extends ResourceIdentity {
  /** Checked inputs of the prior entry. Undefined if there is none or it must not count. */
  readonly olds: PropertyMap | undefined;
  readonly news: PropertyMap;
  /** Copy of `news` with output values, for providers that accept them. Absent if no property depends on anything. */
  readonly newsWithOutputs?: PropertyMap | undefined;
  /** Outputs of the prior entry whose inputs are `olds`. Absent if there is none, or it must not count. */
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

/** Answer to a diff. If `changes` is `unknown`, the engine compares inputs itself. */
// [PROV-15]
export interface DiffResponse {
  readonly changes: 'none' | 'some' | 'unknown';
  /** Top-level keys that force a replacement. */
  readonly replaceKeys: readonly string[];
  /** Top-level keys that changed, for display. */
  readonly changedKeys: readonly string[];
  /** Keys that remain unchanged, for previews. */
  readonly stableKeys: readonly string[];
  /** Differences by property path. Undefined if the provider gives no details. */
  readonly detailedDiff: Readonly<Record<string, PropertyDiff>> | undefined;
  readonly deleteBeforeReplace: boolean;
}

export interface CreateRequest extends ResourceIdentity {
  readonly inputs: PropertyMap;
  /** Timeout in seconds; 0 means the provider's own. */
  readonly timeoutSeconds: number;
  readonly preview: boolean;
  /** Receives the provider's reports about views of the resource. Optional. */
  readonly views?: ViewPublishing | undefined;
  /**
   * Idempotency token: equal for every repetition of one create, different for any other create. It is valid as long as
   * the type's extras allow. Absent if the type takes none, or in a preview.
   */
  readonly token?: string | undefined;
  /** Id that an earlier call passed to `onProgressId`: the create has begun, and the provider waits for its end. */
  readonly progressId?: string | undefined;
  /**
   * Called as soon as the object, or the running work, has an id of its own. From then on the create can be continued
   * after a crash. The id is durable when the promise resolves; the provider waits for that. Optional.
   */
  readonly onProgressId?: ((id: string) => Promise<void>) | undefined;
}

export interface CreateResponse {
  /** Empty in preview if not known. */
  readonly id: string;
  readonly outputs: PropertyMap;
  readonly refreshBeforeUpdate: boolean;
}

export interface ReadRequest extends ResourceIdentity {
  readonly id: string;
  /** Undefined for an import. */
  readonly inputs: PropertyMap | undefined;
  /** Last known outputs. Undefined for an import. */
  readonly state: PropertyMap | undefined;
  readonly timeoutSeconds: number;
  /** Receives the provider's reports about views of the resource. Optional. */
  readonly views?: ViewPublishing | undefined;
  /** Previous views of the resource. Defaults to none. */
  readonly oldViews?: readonly View[] | undefined;
}

/**
 * Answer to a read. With `undefined` outputs or an empty id the object does not exist. With `undefined` inputs the
 * provider reports none.
 */
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
  /** Receives the provider's reports about views of the resource. Optional. */
  readonly views?: ViewPublishing | undefined;
  /** Previous views of the resource. Defaults to none. */
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
  /** Receives the provider's reports about views of the resource. Optional. */
  readonly views?: ViewPublishing | undefined;
  /** Previous views of the resource. Defaults to none. */
  readonly oldViews?: readonly View[] | undefined;
}

export interface InvokeRequest {
  readonly token: string;
  readonly args: PropertyMap;
  /** Arguments with their output values, for providers that accept them. Absent if there are none. */
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
  /** Decrypted texts by `namespace:name`. */
  readonly config: Readonly<Record<string, string>>;
  readonly configSecretKeys: readonly string[];
  readonly dryRun: boolean;
  readonly parallel: number;
  /** Address, as `host:port`, of the resource monitor that the component registers with. */
  readonly monitorAddress: string;
  /**
   * Handle that the component or method returns with its registrations, so that their stack traces begin with the
   * caller's. Optional.
   */
  readonly stackTraceHandle?: string | undefined;
}

export interface ConstructRequest {
  readonly context: DeploymentContext;
  readonly type: string;
  readonly name: string;
  readonly parent: Urn | undefined;
  /** Contains output values. */
  readonly inputs: PropertyMap;
  readonly inputDependencies: Readonly<Record<string, readonly Urn[]>>;
  readonly options: ConstructOptions;
}

export interface ConstructOptions {
  /** Aliases relative to the component. Engines may pass them on as they received them. */
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
  /** Names of hooks of the program, by phase. The binding has no error hooks here. Undefined if there are none. */
  readonly hooks: HookBinding | undefined;
}

/** Durations as text (`5m`, `1h30m`). */
export interface CustomTimeoutTexts {
  readonly create: string;
  readonly update: string;
  readonly delete: string;
  /** Absent if not set. */
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
  /** Contains output values; `__self__` is the receiver. */
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
  /** Maximum number of results; 0 means no limit. */
  readonly limit: number;
  readonly pageSize: number;
  /** Position where an earlier list stopped; empty for the start. */
  readonly continuationToken: string;
}

/**
 * Answer to a list. `computed`: it cannot be known in this preview. `continuationToken` is empty when the list is
 * complete.
 */
export interface ListResponse {
  readonly computed: boolean;
  readonly results: readonly { readonly id: string; readonly name: string }[];
  readonly continuationToken: string;
}

export interface ProviderMapping {
  readonly provider: string;
  readonly data: Uint8Array;
}
