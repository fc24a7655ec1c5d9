import type { RollbackOption } from '@cairn/wire';
import type { ResourceHookBinding } from './hooks.js';
import type { Input, Output } from '../output/brand.js';
import type { AnyResource, PROVIDER } from './state.js';
import type { ResourceTransform } from './transforms.js';

/** An instance of a provider, of any copy of this package. */
export interface AnyProvider extends AnyResource {
  readonly id: Output<string>;
  readonly [PROVIDER]: true;
}

/** Another identity that the resource may have had. Missing parts equal the current ones. */
export interface Alias {
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly stack?: string | undefined;
  readonly project?: string | undefined;
  /** The former parent, or its URN. */
  readonly parent?: AnyResource | Input<string> | undefined;
  /** True if the resource had no parent of its own and was directly below the stack. */
  readonly noParent?: boolean | undefined;
}

/** Time limits of steps, as durations: `30s`, `5m`, `1h30m`. */
export interface CustomTimeouts {
  readonly create?: string | undefined;
  readonly update?: string | undefined;
  readonly delete?: string | undefined;
  /** Limit of a read, and of a refresh. */
  readonly read?: string | undefined;
}

/** An approval that a person must give. `reason` is shown to that person. */
export interface Gate {
  readonly reason: string;
}

/** Options of every resource. Meanings are Pulumi's. */
// [PRG-8]
export interface ResourceOptions {
  /** The resource that this one belongs to. Defaults to the stack. */
  readonly parent?: AnyResource | undefined;
  /** Resources that must exist first, besides those whose outputs are used. A component represents all its children. */
  readonly dependsOn?: Input<AnyResource | readonly Input<AnyResource>[]> | undefined;
  /** Refuse to delete or replace the resource. Defaults to the parent's value. */
  readonly protect?: boolean | undefined;
  /** Keep the object when the resource is removed. Defaults to the parent's value. */
  readonly retainOnDelete?: boolean | undefined;
  /**
   * The provider instance that manages the resource. Defaults to the parent's for that package, else to the default
   * one.
   */
  readonly provider?: AnyProvider | undefined;
  /** Property paths whose changes are ignored. */
  readonly ignoreChanges?: readonly string[] | undefined;
  /** Property paths whose changes require a new object. */
  readonly replaceOnChanges?: readonly string[] | undefined;
  /** Property paths that displays leave out. */
  readonly hideDiffs?: readonly string[] | undefined;
  /** Former identities: URNs, or the parts that differed. */
  readonly aliases?: readonly (Alias | string)[] | undefined;
  readonly customTimeouts?: CustomTimeouts | undefined;
  /** The object is deleted together with that resource's: if that one is deleted, this one need not be. */
  readonly deletedWith?: AnyResource | undefined;
  /** Resources whose replacement replaces this one as well. */
  readonly replaceWith?: readonly AnyResource[] | undefined;
  /** Any value. A change of it replaces the resource. */
  readonly replacementTrigger?: unknown;
  /**
   * Behaviour in a rollback. Defaults to the parent's value, else to that of the project file, else to `auto`.
   * Supported by Cairn's engine only.
   */
  readonly rollback?: RollbackOption | undefined;
  /**
   * A person must approve before anything is done about the resource. The operation waits, and may end and continue
   * later. On a component, one approval is needed before anything is done about it or the resources below it. Supported
   * by Cairn's engine only.
   */
  readonly gate?: string | Gate | undefined;
  /** Functions called around its steps, by moment. */
  readonly hooks?: ResourceHookBinding | undefined;
  /** Functions that rewrite this resource and those below it before they reach the engine, in this order. */
  readonly transforms?: readonly ResourceTransform[] | undefined;
  /** Version of the provider package, if no provider is given. */
  readonly version?: string | undefined;
  /** Download location of the provider plugin, if no provider is given. */
  readonly pluginDownloadURL?: string | undefined;
}

/** Options of a resource that a provider manages. */
export interface CustomResourceOptions extends ResourceOptions {
  /** The id of an object that this resource represents but does not manage: it is read, never changed. */
  readonly id?: Input<string> | undefined;
  /** Adopt the existing object with this id, which is managed from then on. */
  readonly import?: string | undefined;
  /** In a replacement, delete the old object before the new one is created. Defaults to the provider's choice. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /**
   * Text that the provider receives as idempotency token when the object is created, instead of the engine's own. Two
   * creates with the same key make one object where the service supports it. Supported by Cairn's engine only.
   */
  readonly idempotencyKey?: string | undefined;
  /** Outputs to treat as secret. */
  readonly additionalSecretOutputs?: readonly string[] | undefined;
}

/** Options of a component. */
export interface ComponentResourceOptions extends ResourceOptions {
  /** Provider instances for the children, one per package. */
  readonly providers?: readonly AnyProvider[] | Readonly<Record<string, AnyProvider>> | undefined;
}

/** All options, for the code that builds requests. */
/** Options of a provider instance. */
export interface ProviderResourceOptions extends ResourceOptions {
  /** Environment variables that its provider finds under other names: `{ MINE: 'NAME_THAT_IT_READS' }`. */
  readonly envVarMappings?: Readonly<Record<string, string>> | undefined;
}

export type AnyResourceOptions = CustomResourceOptions & ComponentResourceOptions & ProviderResourceOptions;

/** Merges one set of options over another. Values of the second win; lists are joined. */
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
