import type { Urn } from '@cairn/addresses';
import type { SerializedDeployment, Snapshot, Snippet } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { DerivedPackage, RequiredPackage, RollbackOption } from '@cairn/wire';
import type { PreviewClaims } from './claims.js';
import type { Continued, PastTask, DoubtResolution } from './history.js';
import type { PolicyPackSpec } from './policy.js';
import type { PlanOptions } from './saved-plan.js';

/**
 * Kind of an operation. `rollback` rolls a lineage back. `resolve` only finds out the outcome of steps in doubt.
 * Neither runs a program.
 */
export type OperationKind = 'up' | 'destroy' | 'refresh' | 'import' | 'rollback' | 'resolve';

/** Request of a user on a stack, parsed once into small groups. Rules receive values from it, never the whole. */
export interface OperationRequest {
  readonly kind: OperationKind;
  /** Only report the steps: nothing is created, changed, deleted or stored. */
  readonly preview: boolean;
  /**
   * Run the program for a refresh or a destroy as well. Then objects are looked up and deleted through providers with
   * their present configuration [REF-8]. An up runs it anyway: then each refresh takes place when a resource is
   * registered instead of at the start. Defaults to false.
   */
  readonly runProgram?: boolean | undefined;
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  /** Stack before the operation. */
  readonly base: Snapshot;
  readonly scope: OperationScope;
  /** Limit of concurrent steps and questions. 0 or less: no limit. */
  readonly concurrency: {
    readonly parallel: number;
    /** Limit of concurrent analyses of policy packs. Undefined, 0 or less: no limit. */
    readonly analyses?: number | undefined;
    /**
     * Limits of concurrent calls with an effect, by package or type. They override the providers' declarations. Empty
     * by default.
     */
    readonly limits?: LimitSettings | undefined;
  };
  readonly policy: OperationPolicy;
  /** Makes a plan of a preview, or limits the operation to one [PLAN-1]. Optional. */
  readonly plan?: PlanOptions | undefined;
  /** Treatment of declarative resources in state. By default they are run unchanged. */
  readonly snippets?: SnippetOptions | undefined;
  /** Packages that the program's dependencies require. They determine versions of default providers. */
  readonly packages: readonly RequiredPackage[];
  /** Items that an import takes over, for kind `import` only. */
  readonly imports?: readonly RequestedImport[] | undefined;
  /**
   * Claims of this operation's own preview: values shown as known must be the applied ones. Undefined if none were
   * shown.
   */
  readonly claims?: PreviewClaims | undefined;
  /** Name of this operation's change in commands, for hints. Undefined if it has no number. */
  readonly change?: string | undefined;
  /** URNs whose gates were approved before the operation began. Empty by default. */
  readonly approvals?: ReadonlySet<string> | undefined;
  readonly directories: { readonly root: string; readonly program: string };
  /** Lineage that this operation continues. By default it starts a new one. */
  readonly continues?: Continued | undefined;
  /**
   * Steps of earlier operations whose end is unknown. They are resolved before anything else starts, in every operation
   * except previews [REC-2]. Empty by default.
   */
  readonly inDoubt?: readonly PastTask[] | undefined;
  /**
   * Answers of a person about them, by `doubtName`, or by the task that began the step, `7/3`. They override every
   * other finding.
   */
  readonly resolutions?: ReadonlyMap<string, DoubtResolution> | undefined;
  /** Stored form of `base`, used to drop its pending creates. Undefined if there are none. */
  readonly stored?: SerializedDeployment | undefined;
  /**
   * Key of the goal digests of the lineage, 32 bytes. Goals contain secrets, so the tasks record the goal of a
   * registration in no other form. Without the key no goals are recorded, and the operation cannot be resumed.
   */
  readonly goalKey?: Uint8Array | undefined;
  /** Means to answer checks and diffs from the state [DIFF-14]. Without them every provider is asked. */
  readonly digests?: DigestsRequest | undefined;
  /** True if providers and programs get ids and URNs instead of references to resources [VAL-10]. Defaults to false. */
  readonly withoutReferences?: boolean | undefined;
}

/** Digests of resources about which some providers need not be asked, as an earlier operation returned them. */
export type SettledDigests = ReadonlySet<string>;

export interface DigestsRequest {
  /** Key under which they were made, 32 bytes. */
  readonly key: Uint8Array;
  readonly known: SettledDigests;
}

export interface OperationIdentity {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
  /** Tags of the stack, for policy packs. Empty by default. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** Decrypted configuration. Values of secret keys never reach events or logs. */
export interface OperationConfig {
  /** `namespace:name` to text. */
  readonly values: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
}

/** Limits of an operation's scope. */
interface OperationScope {
  /** URNs or globs. Empty: everything. */
  readonly targets: readonly (Urn | string)[];
  readonly targetDependents: boolean;
  /** URNs or globs of resources that remain unchanged. Ignored if there are targets. Empty by default. */
  readonly excludes?: readonly (Urn | string)[] | undefined;
  /** True if resources that refer to an excluded one are excluded as well. Defaults to false. */
  readonly excludeDependents?: boolean | undefined;
  /** URNs or globs of resources that are replaced regardless of their diff. Empty by default. */
  readonly replace?: readonly (Urn | string)[] | undefined;
  /** True to refresh before an up or a destroy. */
  readonly refresh: boolean;
}

/** Steps that are unexpected and therefore refused [DEL-8]. */
export interface UnexpectedSteps {
  readonly replacements: boolean;
  /** Deletes of resources that are no longer wanted. The originals of replacements do not count. */
  readonly deletes: boolean;
}

export interface OperationPolicy {
  readonly continueOnError: boolean;
  /** Effect of an error on steps that are already done [REC-10]. */
  readonly onError: 'stop' | 'continue' | 'rollback';
  /**
   * Unit that fails and rolls back together: everything, each outermost component, or each resource. Defaults to
   * everything.
   */
  readonly isolate?: 'none' | 'component' | 'resource' | undefined;
  /** Treatment in a rollback of resources whose program does not specify any. Defaults to `auto`. */
  readonly rollback?: RollbackOption | undefined;
  /** True if a provider that breaks its contract is an error instead of a warning. */
  readonly strictProviders?: boolean | undefined;
  /** Policy packs that the resources and the stack must pass, in an up only. Empty by default. */
  readonly packs?: readonly PolicyPackSpec[] | undefined;
  /** True if protected resources may be deleted and replaced. They stay marked. Defaults to false. */
  readonly ignoreProtect?: boolean | undefined;
  /** Steps that are refused before they have an effect [DEL-8], in an up only. By default none are. */
  readonly unexpected?: UnexpectedSteps | undefined;
  /** True if providers are not asked to compare equal inputs [DIFF-3]. Defaults to false. */
  readonly legacyDiff?: boolean | undefined;
  /** True if a refresh judges objects by their outputs, without asking providers [REF-1]. Defaults to false. */
  readonly legacyRefreshDiff?: boolean | undefined;
}

/** Resource of an import list: an existing object to take over, or a component to record [IMP-2]. */
export interface RequestedImport {
  readonly type: string;
  readonly name: string;
  /** Id to look up. Empty for components. */
  readonly id: string;
  /** True if it has no object of its own. */
  readonly component: boolean;
  /** True for a component that a provider constructs. */
  readonly remote: boolean;
  /** Defaults to the stack. */
  readonly parent: Urn | undefined;
  /** Provider resource. Defaults to the default provider of the package. One that is not in state is created. */
  readonly provider: Urn | undefined;
  readonly protect: boolean;
  readonly package: ImportPackage;
  /** Inputs to keep. Empty: all of them. */
  readonly properties: readonly string[];
  /** Inputs that fill gaps of the object as read and mark secrets. For components, all of their inputs. */
  readonly inputs: PropertyMap | undefined;
  /** Outputs of the object, which is then not looked up. */
  readonly outputs: PropertyMap | undefined;
}

/** Plugin that serves an item, if the list names it. Empty texts are unspecified. */
interface ImportPackage {
  readonly version: string;
  readonly downloadUrl: string;
  /** `os-arch` to SHA-256. */
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Parameters that make a package of another plugin, whose name is `base`. */
  readonly parameterization?: (DerivedPackage & { readonly base: string }) | undefined;
  /** Parameters that extend the plugin. */
  readonly extension?: DerivedPackage | undefined;
}

/** Limits of calls to a provider, or to one of its types. */
export interface LimitSetting {
  /** Limit of concurrent calls with an effect, at least 1. Defaults to no limit. */
  readonly maxInFlight?: number | undefined;
  /** Names of inputs, for a type. Calls with the same values of these run one at a time. Empty by default. */
  readonly exclusive?: readonly string[] | undefined;
}

/** User's settings, by package (`aws`) or type token. They override the providers' declarations. */
export type LimitSettings = ReadonlyMap<string, LimitSetting>;

/** Treatment of snippets in an operation: declarative resources that live in state [SNIP-1]. */
export interface SnippetOptions {
  /** Changes by uuid: the snippet to add or to replace the existing one with. Null deletes it. Empty by default. */
  readonly changes?: Readonly<Record<string, Snippet | null>> | undefined;
  /**
   * Uuids of the only snippets to evaluate. Only their resources take part, and the program does not run. Defaults to
   * all.
   */
  readonly targets?: readonly string[] | undefined;
}
