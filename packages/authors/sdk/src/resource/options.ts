import type { ResourceHookBinding } from './hooks.js';
import type { Input, Output } from '../output/brand.js';
import type { AnyResource, PROVIDER } from './state.js';
import type { ResourceTransform } from './transforms.js';

/** An instance of a provider, of any copy of this package. */
export interface AnyProvider extends AnyResource {
  readonly id: Output<string>;
  readonly [PROVIDER]: true;
}

/** Another identity that the resource may have had. What is not said is as it is now. */
export interface Alias {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly stack?: string | undefined;
  readonly project?: string | undefined;
  /** The former parent, or its URN. */
  readonly parent?: AnyResource | Input<string> | undefined;
  /** The resource had no parent of its own: it was directly below the stack. */
  readonly noParent?: boolean | undefined;
}

/** How long a step may take, as durations: `30s`, `5m`, `1h30m`. */
export interface CustomTimeouts {
  readonly create?: string | undefined;
  readonly update?: string | undefined;
  readonly delete?: string | undefined;
  /** Also of a refresh. */
  readonly read?: string | undefined;
}

/**
 * What becomes of a resource when the operation that changed it is rolled back. `auto`: it is brought back to what it
 * was. `hold`: a rollback leaves it to a person and says so. `retain`: it stays as the operation has made it.
 */
export type RollbackOption = 'auto' | 'hold' | 'retain';

/** An approval that somebody has to give; `reason` is what they are told. */
export interface Gate {
  readonly reason: string;
}

/** What may be said about any resource. Meanings are Pulumi's. */
// [PRG-8]
export interface ResourceOptions {
  /** The resource this one belongs to. Default: the stack. */
  readonly parent?: AnyResource | undefined;
  /**
   * Resources that must be there first, besides those whose outputs are used. A component stands for all its children.
   */
  readonly dependsOn?: Input<AnyResource | readonly Input<AnyResource>[]> | undefined;
  /** Refuse to delete or replace. Default: as the parent. */
  readonly protect?: boolean | undefined;
  /** Leave the object alone when the resource goes. Default: as the parent. */
  readonly retainOnDelete?: boolean | undefined;
  /** The provider instance that manages it. Default: the parent's for that package, else the default one. */
  readonly provider?: AnyProvider | undefined;
  /** Property paths whose changes do not count. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** Property paths whose changes ask for a new object. */
  readonly replaceOnChanges?: readonly string[] | undefined;
  /** Property paths that displays leave out. */
  readonly hideDiffs?: readonly string[] | undefined;
  /** Former identities: URNs or what differed. */
  readonly aliases?: readonly (Alias | string)[] | undefined;
  readonly customTimeouts?: CustomTimeouts | undefined;
  /** The object goes together with that resource's: it need not be deleted by itself when that one is. */
  readonly deletedWith?: AnyResource | undefined;
  /** Replace this resource whenever one of these is replaced. */
  readonly replaceWith?: readonly AnyResource[] | undefined;
  /** Any value; when it changes, the resource is replaced. */
  readonly replacementTrigger?: unknown;
  /**
   * What a rollback does about it. Default: as the parent, else what the project file says, else `auto`. Of Cairn's
   * engine only.
   */
  readonly rollback?: RollbackOption | undefined;
  /**
   * Somebody has to approve before anything is done about it; the operation waits, and may end and go on later. On a
   * component: once, before anything is done about it or what is below it. Of Cairn's engine only.
   */
  readonly gate?: string | Gate | undefined;
  /** Functions called around its steps, by moment. */
  readonly hooks?: ResourceHookBinding | undefined;
  /** Functions that rewrite this resource and those below it on their way to the engine, in this order. */
  readonly transforms?: readonly ResourceTransform[] | undefined;
  /** Version of the provider package, when no provider is given. */
  readonly version?: string | undefined;
  /** Where the provider plugin may be found, when no provider is given. */
  readonly pluginDownloadURL?: string | undefined;
}

/** What may be said about a resource that a provider manages. */
export interface CustomResourceOptions extends ResourceOptions {
  /** The id of an object that this resource is to hold but does not manage: it is read, never changed. */
  readonly id?: Input<string> | undefined;
  /** Adopt the existing object with this id; from then on it is managed. */
  readonly import?: string | undefined;
  /** Delete the old object before the new one is made, when it is replaced. Default: as the provider wishes. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /**
   * Text that the provider gets as its idempotency token when the object is created, in place of the engine's own: two
   * creates with the same key make one object where the service supports it. Of Cairn's engine only.
   */
  readonly idempotencyKey?: string | undefined;
  /** Outputs to treat as secret. */
  readonly additionalSecretOutputs?: readonly string[] | undefined;
}

/** What may be said about a component. */
export interface ComponentResourceOptions extends ResourceOptions {
  /** Provider instances for the children, one a package. */
  readonly providers?: readonly AnyProvider[] | Readonly<Record<string, AnyProvider>> | undefined;
}

/** Every option there is, for the code that builds requests. */
/** Options of a provider instance. */
export interface ProviderResourceOptions extends ResourceOptions {
  /** Variables of this environment that its provider finds under other names: `{ MINE: 'NAME_THAT_IT_READS' }`. */
  readonly envVarMappings?: Readonly<Record<string, string>> | undefined;
}

export type AnyResourceOptions = CustomResourceOptions & ComponentResourceOptions & ProviderResourceOptions;

/** One set of options over another: what the second says wins, lists are joined. */
export function mergeOptions<T extends ResourceOptions>(base: T, extra: Partial<T>): T;
export function mergeOptions(
  base: CustomResourceOptions | undefined,
  extra: CustomResourceOptions | undefined,
): CustomResourceOptions;
export function mergeOptions(
  base: ComponentResourceOptions | undefined,
  extra: ComponentResourceOptions | undefined,
): ComponentResourceOptions;
export function mergeOptions(base: object | undefined, extra: object | undefined): ResourceOptions {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(extra ?? {}) as [string, unknown][]) {
    if (value === undefined) continue;
    const before = merged[key];
    merged[key] =
      Array.isArray(before) && Array.isArray(value)
        ? [...(before as unknown[]), ...(value as unknown[])]
        : value;
  }
  return merged;
}
