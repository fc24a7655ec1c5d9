import type { Urn } from '@cairn/addresses';
import type { SerializedDeployment, Snapshot, Snippet } from '@cairn/state';
import type { PropertyMap } from '@cairn/values';
import type { PackageParameters, RequiredPackage } from '@cairn/wire';
import type { PreviewClaims } from './claims.js';
import type { RollbackOption } from './goal.js';
import type { Continued, PastTask, Resolution } from './history.js';
import type { PolicyPackSpec } from './policy.js';
import type { PlanOptions } from './saved-plan.js';

/**
 * What an operation does. `rollback`: rolls a lineage back; `resolve`: only finds out what became of steps in
 * doubt. Both run no program.
 */
export type OperationKind = 'up' | 'destroy' | 'refresh' | 'import' | 'rollback' | 'resolve';

/** What a user asks for on a stack, parsed once into small groups. Rules receive values out of it, never the whole. */
export interface OperationRequest {
  readonly kind: OperationKind;
  /** Only say what would be done: nothing is created, changed, deleted or stored. */
  readonly preview: boolean;
  /**
   * Run the program for a refresh or a destroy as well, so that objects are looked up and deleted through providers
   * with their present configuration [REF-8]. An up runs it anyway: then its refresh takes place when a resource is
   * registered instead of at the start. Default: false.
   */
  readonly runProgram?: boolean | undefined;
  readonly identity: OperationIdentity;
  readonly config: OperationConfig;
  /** The stack as it is before the operation. */
  readonly base: Snapshot;
  readonly scope: OperationScope;
  /** Steps and questions at a time; 0 or less: no limit. */
  readonly concurrency: {
    readonly parallel: number;
    /** Analyses of policy packs at a time. Absent, 0 or less: no limit. */
    readonly analyses?: number | undefined;
    /** Calls with an effect at a time, by package or type; wins over what providers declare. Absent: nothing is set. */
    readonly limits?: LimitSettings | undefined;
  };
  readonly policy: OperationPolicy;
  /** Make a plan of a preview, or be held to one [PLAN-1]. Absent: neither. */
  readonly plan?: PlanOptions | undefined;
  /** What is done about declarative resources in state. Absent: they are run as they are. */
  readonly snippets?: SnippetOptions | undefined;
  /** Packages the program's dependencies ask for; they choose versions of default providers. */
  readonly packages: readonly RequiredPackage[];
  /** What an import takes over; for kind `import` only. */
  readonly imports?: readonly ImportItem[] | undefined;
  /**
   * From the preview of this very operation: what was shown as known must be what is applied. Absent: none was shown.
   */
  readonly claims?: PreviewClaims | undefined;
  /** How commands name the change of this operation, for hints; absent: it has no number. */
  readonly change?: string | undefined;
  /** URNs whose gates were approved before the operation began. Absent: none. */
  readonly approvals?: ReadonlySet<string> | undefined;
  readonly directories: { readonly root: string; readonly program: string };
  /** The lineage that this operation goes on with. Absent: it starts one of its own. */
  readonly continues?: Continued | undefined;
  /**
   * Steps of earlier operations whose end nobody knows; they are resolved before anything else starts, in every
   * operation that is no preview [REC-2]. Absent: none.
   */
  readonly inDoubt?: readonly PastTask[] | undefined;
  /**
   * What a person says about them, by `doubtName`, or by the task that began it, `7/3`. It wins over everything that
   * could be found out.
   */
  readonly resolutions?: ReadonlyMap<string, Resolution> | undefined;
  /** The stored form of `base`, for dropping pending creates from it. Absent: there are none. */
  readonly stored?: SerializedDeployment | undefined;
  /**
   * Key of the goal digests of the lineage, 32 bytes: what a registration wanted is written down with its tasks in no
   * other form, because goals hold secrets. Absent: no goals are written down, and the operation cannot be resumed.
   */
  readonly goalKey?: Uint8Array | undefined;
  /** Providers and programs get ids and URNs in place of references to resources [VAL-10]. Default: references. */
  readonly withoutReferences?: boolean | undefined;
}

export interface OperationIdentity {
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
  /** Tags of the stack, for policy packs. Absent: none. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** Decrypted configuration; values of secret keys never reach events or logs. */
export interface OperationConfig {
  /** `namespace:name` to text. */
  readonly values: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
}

/** Everything that limits an operation. */
interface OperationScope {
  /** URNs or globs; empty: everything. */
  readonly targets: readonly (Urn | string)[];
  readonly targetDependents: boolean;
  /** URNs or globs of resources that are left as they are. They do not count when there are targets. Absent: none. */
  readonly excludes?: readonly (Urn | string)[] | undefined;
  /** What refers to an excluded resource is excluded as well. Absent: no. */
  readonly excludeDependents?: boolean | undefined;
  /** URNs or globs of resources to be replaced whatever their diff says. Absent: none. */
  readonly replace?: readonly (Urn | string)[] | undefined;
  /** Refresh before an up or a destroy. */
  readonly refresh: boolean;
}

/** Steps that are not expected, and are refused [DEL-8]. */
export interface UnexpectedSteps {
  readonly replacements: boolean;
  /** Of what nobody wants any more; the originals of replacements are not meant. */
  readonly deletes: boolean;
}

export interface OperationPolicy {
  readonly continueOnError: boolean;
  /** What an error does to what was already done [REC-10]. */
  readonly onError: 'stop' | 'continue' | 'rollback';
  /** What fails and rolls back together: everything, each outermost component, or each resource. Absent: everything. */
  readonly isolate?: 'none' | 'component' | 'resource' | undefined;
  /** What a rollback does about resources whose program says nothing of it. Absent: `auto`. */
  readonly rollback?: RollbackOption | undefined;
  /** A provider that breaks its contract is an error instead of a warning. */
  readonly strictProviders?: boolean | undefined;
  /** Policy packs that the resources and the stack must pass; an up only. Absent: none. */
  readonly packs?: readonly PolicyPackSpec[] | undefined;
  /** Protected resources may be deleted and replaced; they stay marked. Absent: no. */
  readonly ignoreProtect?: boolean | undefined;
  /** What is refused before it has an effect [DEL-8]; an up only. Absent: nothing. */
  readonly unexpected?: UnexpectedSteps | undefined;
  /** Providers are not asked to compare equal inputs, whatever they would say [DIFF-3]. Absent: no. */
  readonly legacyDiff?: boolean | undefined;
  /** What a refresh finds is judged by its outputs, and providers are not asked [REF-1]. Absent: no. */
  readonly legacyRefreshDiff?: boolean | undefined;
}

/** One resource of an import list: an existing object to take over, or a component to write down [IMP-2]. */
export interface ImportItem {
  readonly type: string;
  readonly name: string;
  /** Id to look up; empty for components. */
  readonly id: string;
  /** It has no object of its own. */
  readonly component: boolean;
  /** A component that a provider constructs. */
  readonly remote: boolean;
  /** Default: the stack. */
  readonly parent: Urn | undefined;
  /** Provider resource; default: the default provider of the package. One that is not in state is made. */
  readonly provider: Urn | undefined;
  readonly protect: boolean;
  readonly package: ImportPackage;
  /** Inputs to keep; empty: all of them. */
  readonly properties: readonly string[];
  /** They fill gaps of what is read and say what is secret; of components, what they are. */
  readonly inputs: PropertyMap | undefined;
  /** The object is not looked up: these are its outputs. */
  readonly outputs: PropertyMap | undefined;
}

/** Which plugin serves an item, as far as the list says it. Empty texts: not said. */
interface ImportPackage {
  readonly version: string;
  readonly downloadUrl: string;
  /** `os-arch` to SHA-256. */
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Makes a package of another plugin, whose name is `base`. */
  readonly parameterization?: (PackageParameters & { readonly base: string }) | undefined;
  /** Extends the plugin. */
  readonly extension?: PackageParameters | undefined;
}

/** What is said about calls to a provider, or to one of its types. */
export interface LimitSetting {
  /** Calls with an effect at a time; at least 1. Absent: no limit. */
  readonly maxInFlight?: number | undefined;
  /**
   * Of a type: names of inputs. Of calls in which these have the same values only one is made at a time. Absent: none.
   */
  readonly exclusive?: readonly string[] | undefined;
}

/** What a user has set, by package (`aws`) or type token. It wins over what providers declare. */
export type LimitSettings = ReadonlyMap<string, LimitSetting>;

/** What an operation does about snippets: declarative resources that live in state [SNIP-1]. */
export interface SnippetOptions {
  /** By uuid: the snippet to add or to put in place of the one there is; null deletes it. Absent: none. */
  readonly changes?: Readonly<Record<string, Snippet | null>> | undefined;
  /** Uuids: only these are evaluated and only their resources take part; the program is not run. Absent: all. */
  readonly targets?: readonly string[] | undefined;
}
