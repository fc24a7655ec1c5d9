import type { Urn } from '@cairn/addresses';
import { containsUnknown } from '@cairn/values';
import type { PropertyMap, PropertyValue } from '@cairn/values';
import type { ErrorHookRequest, HookBinding, HookOptions, ResourceHookRequest } from '@cairn/wire';
import { isStatusError } from '@cairn/wire';
import { fromHere } from '../runtime/call-site.js';
import { deployment } from '../runtime/deployment.js';
import { isMonitorGone } from '../runtime/failures.js';
import type { ProgramFailureCode } from './resource-error.js';
import { deserialize } from '../values/deserialize.js';
import type { ResourceState } from './state.js';

/** Properties as a hook sees them. Secret values are bare: do not print them. Unknown values are omitted. */
export type HookProperties = Readonly<Record<string, unknown>>;

/**
 * Arguments of every hook. Old inputs and outputs are set for updates and deletes, new ones for creates and updates.
 */
interface HookArgs {
  readonly urn: Urn;
  /** Id of the object. Empty before it exists. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly newInputs?: HookProperties | undefined;
  readonly oldInputs?: HookProperties | undefined;
  readonly oldOutputs?: HookProperties | undefined;
  readonly oldOptions?: HookOptions | undefined;
  readonly newOptions?: HookOptions | undefined;
}

/** Arguments of a hook. New outputs are set after creates and updates. */
export interface ResourceHookArgs extends HookArgs {
  readonly newOutputs?: HookProperties | undefined;
}

/** Arguments of an error hook about a failed call. */
export interface ErrorHookArgs extends HookArgs {
  readonly failedOperation: 'create' | 'update' | 'delete';
  /** All errors up to this call, newest first. */
  readonly errors: readonly string[];
}

/** Called around a step. An error thrown before a step prevents the step; one thrown after it fails the run. */
export type ResourceHookFunction = (args: ResourceHookArgs) => void | Promise<void>;

/** Called after a failed create, update or delete. Returns true to retry. */
export type ErrorHookFunction = (args: ErrorHookArgs) => boolean | Promise<boolean>;

/** Options of a hook. */
export interface ResourceHookOptions {
  /** True to run it in previews as well. Defaults to false. */
  readonly onDryRun?: boolean | undefined;
  /** True to report an error as a warning only. Defaults to false. */
  readonly ignoreErrors?: boolean | undefined;
}

const KIND = Symbol.for('cairn.sdk.hook');

/** Thrown for a hook that the engine rejects. */
class HookError extends Error {
  override readonly name = 'HookError';
  readonly failureCode: ProgramFailureCode = 'CAIRN-RESOURCE-OPTION';
}

/**
 * A function called around steps of the resources that name it. Names are unique in a program, including those of error
 * hooks.
 */
export class ResourceHook {
  readonly [KIND] = 'resource';
  /** Settles when the engine knows the hook. */
  readonly registered: Promise<void>;

  constructor(
    readonly name: string,
    readonly callback: ResourceHookFunction,
    readonly options: ResourceHookOptions = {},
  ) {
    const { monitor, callbacks } = deployment();
    this.registered = registering(name, async () => {
      const reference = await callbacks.serve((functions) =>
        functions.resourceHook((request) => callback(hookArgs(request))),
      );
      await monitor.registerResourceHook({
        name,
        callback: reference,
        onDryRun: options.onDryRun ?? false,
        ignoreErrors: options.ignoreErrors ?? false,
      });
    });
  }

  /** Tells whether a value is a resource hook. */
  static isInstance(value: unknown): value is ResourceHook {
    return kindOf(value) === 'resource';
  }
}

/** A function that decides whether a failed call is retried. */
export class ErrorHook {
  readonly [KIND] = 'error';
  /** Settles when the engine knows the hook. */
  readonly registered: Promise<void>;

  constructor(
    readonly name: string,
    readonly callback: ErrorHookFunction,
  ) {
    const { monitor, callbacks } = deployment();
    this.registered = registering(name, async () => {
      const reference = await callbacks.serve((functions) =>
        functions.errorHook((request) => callback(errorHookArgs(request))),
      );
      await monitor.registerErrorHook({ name, callback: reference });
    });
  }

  /** Tells whether a value is an error hook. */
  static isInstance(value: unknown): value is ErrorHook {
    return kindOf(value) === 'error';
  }
}

/**
 * Hooks of a resource by moment, in the order in which they run. Hooks of deletes and of errors need names: the run
 * that deletes a resource may no longer declare it, but must register its hooks.
 */
export interface ResourceHookBinding {
  readonly beforeCreate?: readonly (ResourceHookFunction | ResourceHook)[] | undefined;
  readonly afterCreate?: readonly (ResourceHookFunction | ResourceHook)[] | undefined;
  readonly beforeUpdate?: readonly (ResourceHookFunction | ResourceHook)[] | undefined;
  readonly afterUpdate?: readonly (ResourceHookFunction | ResourceHook)[] | undefined;
  readonly beforeDelete?: readonly ResourceHook[] | undefined;
  readonly afterDelete?: readonly ResourceHook[] | undefined;
  readonly onError?: readonly ErrorHook[] | undefined;
}

const MOMENTS = [
  'beforeCreate',
  'afterCreate',
  'beforeUpdate',
  'afterUpdate',
  'beforeDelete',
  'afterDelete',
  'onError',
] as const satisfies readonly (keyof HookBinding)[];

/** Returns the names of a resource's hooks as soon as the engine knows them all. Functions get generated names. */
export async function boundHookNames(
  state: ResourceState,
  binding: ResourceHookBinding,
): Promise<HookBinding> {
  const names = await Promise.all(MOMENTS.map((moment) => namesAt(moment, state, binding[moment] ?? [])));
  return Object.fromEntries(MOMENTS.map((moment, index) => [moment, names[index]])) as unknown as HookBinding;
}

function namesAt(
  moment: (typeof MOMENTS)[number],
  { type, name }: ResourceState,
  hooks: readonly (ResourceHookFunction | ResourceHook | ErrorHook)[],
): Promise<readonly string[]> {
  const made = hooks.map((each, index): ResourceHook | ErrorHook => {
    const wanted = moment === 'onError' ? ErrorHook : ResourceHook;
    if (wanted.isInstance(each)) return each as ResourceHook | ErrorHook;
    if (typeof each === 'function' && !NAMED.has(moment))
      return new ResourceHook(`${type}_${name}_${moment}_${index}`, each);
    throw new TypeError(
      `hooks.${moment} takes instances of ${moment === 'onError' ? 'ErrorHook' : 'ResourceHook'} only`,
    );
  });
  return Promise.all(made.map((hook) => hook.registered.then(() => hook.name)));
}

/** Moments whose hooks a later run must find by name. */
const NAMED: ReadonlySet<string> = new Set(['beforeDelete', 'afterDelete', 'onError']);

function registering(name: string, work: () => Promise<void>): Promise<void> {
  const { pending, failures } = deployment();
  const wait = {
    kind: 'call',
    what: `the registration of the hook "${name}"`,
    declaredAt: undefined,
  } as const;
  const here = fromHere();
  const told = (error: unknown): never => {
    if (!isStatusError(error) || isMonitorGone(error)) throw error;
    throw here(new HookError(error.message));
  };
  const settled = pending.track(wait, work().catch(told));
  settled.catch((error: unknown) => failures.report(error));
  return settled;
}

function kindOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && KIND in value ? value[KIND] : undefined;
}

function hookArgs(request: ResourceHookRequest): ResourceHookArgs {
  return { ...common(request), newOutputs: properties(request.newOutputs) };
}

function errorHookArgs(request: ErrorHookRequest): ErrorHookArgs {
  const { failedOperation, errors } = request;
  return { ...common(request), failedOperation, errors };
}

function common(request: ResourceHookRequest | ErrorHookRequest): HookArgs {
  const { urn, id, name, type, oldOptions, newOptions } = request;
  return {
    urn: urn as Urn,
    id,
    name,
    type,
    newInputs: properties(request.newInputs),
    oldInputs: properties(request.oldInputs),
    oldOutputs: properties(request.oldOutputs),
    oldOptions,
    newOptions,
  };
}

function properties(map: PropertyMap | undefined): HookProperties | undefined {
  if (map === undefined) return undefined;
  const known = Object.entries(map).filter(
    (pair): pair is [string, PropertyValue] => pair[1] !== undefined && !containsUnknown(pair[1]),
  );
  return Object.fromEntries(known.map(([key, value]) => [key, deserialize(value).value]));
}
