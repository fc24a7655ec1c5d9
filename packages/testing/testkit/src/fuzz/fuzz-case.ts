/** Behaviour of a random provider for one resource, method by method. By default it does as requested. */
export interface Script {
  readonly check?: 'refuse' | undefined;
  readonly diff?: 'change' | 'replace' | 'replace-first' | 'fail' | undefined;
  /** `partial` means that the object exists and is not ready; `lost`, that it exists and the answer is lost. */
  readonly create?: 'fail' | 'partial' | 'lost' | undefined;
  readonly update?: 'fail' | 'partial' | 'lost' | undefined;
  readonly delete?: 'fail' | 'lost' | undefined;
  readonly read?: 'fail' | 'gone' | 'drift' | 'partial' | undefined;
}

/** Possible links: positions of earlier resources of the same program or snapshot. */
export interface Links {
  readonly deps: readonly number[];
  /** Resource whose output becomes the input `from` (change: update) or `bound` (change: replacement). */
  readonly from: number | undefined;
  readonly bound: number | undefined;
  readonly parent: number | undefined;
  readonly deletedWith: number | undefined;
  readonly replaceWith: number | undefined;
  /** An explicit provider. */
  readonly provider: number | undefined;
}

/**
 * One resource of a random program. Names are `r0`, `r1`, …. A renamed one is `r0x` and lists the other name as an
 * alias.
 */
export interface WantedResource extends Links {
  readonly name: number;
  /** Its real name and type, if it comes from an exported stack. */
  readonly as?: { readonly name: string; readonly type: string } | undefined;
  readonly renamed: boolean;
  readonly kind: 'custom' | 'component' | 'provider' | 'read';
  readonly pkg: string;
  /** Inputs. A change of the first is an update, of the second a replacement. */
  readonly update: number;
  readonly replace: number;
  readonly deleteFirst: boolean | undefined;
  readonly protect: boolean;
  readonly retain: boolean;
  readonly ignoreUpdate: boolean;
  readonly promoteUpdate: boolean;
  readonly trigger: number | undefined;
  readonly imported: boolean;
}

/** One entry of a random prior snapshot. */
export interface PriorEntry extends Links {
  readonly name: number;
  readonly kind: 'custom' | 'component' | 'provider';
  readonly pkg: 'pkgA' | 'pkgB';
  readonly update: number;
  readonly replace: number;
  readonly protect: boolean;
  readonly retain: boolean;
  readonly stale: 'delete' | 'pending-replacement' | undefined;
  readonly taint: boolean;
  readonly notReady: boolean;
  readonly refreshFirst: boolean;
}

/** One operation of a random case. */
export interface WantedOperation {
  readonly kind: 'up' | 'refresh' | 'destroy';
  readonly preview: boolean;
  readonly runProgram: boolean;
  readonly refresh: boolean;
  readonly continueOnError: boolean;
  readonly ignoreProtect: boolean;
  readonly program: readonly WantedResource[];
  /** Scripts by resource name. */
  readonly scripts: Readonly<Record<string, Script>>;
  readonly scope: WantedScope | undefined;
  /** Positions of live objects that are deleted outside of Cairn before the operation starts. */
  readonly vanished: readonly number[];
  /** Number of the provider call at which the operation is cancelled. */
  readonly cancelAt: number | undefined;
}

/** Scope of an operation, by numbers of names. */
interface WantedScope {
  readonly targets: readonly number[];
  readonly excludes: readonly number[];
  readonly dependents: boolean;
  readonly replace: readonly number[];
}

/** A prior snapshot and the consecutive operations. */
export interface FuzzCase {
  readonly prior: readonly PriorEntry[];
  readonly operations: readonly WantedOperation[];
}

/** Parts of a name. */
type Named = Pick<WantedResource, 'name'> & Partial<Pick<WantedResource, 'as' | 'renamed'>>;

/** Returns the name of a resource in programs, snapshots and scripts. */
export function resourceName({ name, as, renamed }: Named): string {
  return `${as?.name ?? `r${name}`}${renamed === true ? 'x' : ''}`;
}

/** Returns the type of a resource of a program or snapshot. */
export function resourceType({ kind, pkg, as }: Pick<WantedResource, 'kind' | 'pkg' | 'as'>): string {
  if (as !== undefined) return as.type;
  if (kind === 'component') return 'my:index:Component';
  return kind === 'provider' ? `pulumi:providers:${pkg}` : `${pkg}:m:typA`;
}
