import type { Urn } from '@cairn/addresses';
import { DYNAMIC_PROVIDER } from './brand.js';
import { callerOf } from '../resource/source-position.js';
import type { CallSite } from '../resource/source-position.js';

/** Context of a call to a handler of a dynamic provider. */
export interface DynamicContext {
  readonly urn: Urn;
  /** Logical name of the resource. */
  readonly name: string;
  /** Aborted when the user cancels or the time limit is reached. Its reason is the error to fail with. */
  readonly signal: AbortSignal;
  /** Values of the configuration keys in the definition's `config`. A key that is not set is missing. */
  readonly config: Readonly<Record<string, string | undefined>>;
  /**
   * Idempotency token of a create or lookup: the same for every retry of the same create. Undefined if the engine knows
   * none.
   */
  readonly token?: string | undefined;
  /** Fails the call and states that nothing was done. After any other error the state of the object is in doubt. */
  fail(message: string): never;
}

/** An object: its id, chosen by the service that keeps it, and its reported outputs. */
export interface DynamicObject<O> {
  readonly id: string;
  readonly outputs: O;
}

/** An existing object, with the inputs from which it was created. */
export interface KnownObject<I, O> extends DynamicObject<O> {
  readonly inputs: I;
}

/** Difference between the inputs of an object and the desired inputs. */
export interface DynamicDiff<I> {
  /** Inputs that differ. If empty, there is nothing to do. */
  readonly changed: readonly (keyof I & string)[];
  /** Changed inputs that require a new object. */
  readonly replace?: readonly (keyof I & string)[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
}

/** An invalid input. */
export interface DynamicFailure<I> {
  /** The input. Empty for all inputs together. */
  readonly property: (keyof I & string) | '';
  readonly reason: string;
}

type Later<T> = T | Promise<T>;

/**
 * Functions that manage objects. They receive plain values, with secrets bare. An output with the name of an input is
 * expected to have its value. All other outputs are unknown in a preview.
 */
export interface DynamicHandlers<I extends object, O extends object> {
  /** Creates the object. */
  create(inputs: I, context: DynamicContext): Later<DynamicObject<O>>;
  /**
   * Returns the object as it is, or undefined if it no longer exists. `known` is the last known state; undefined for an
   * import. Without `read` no drift is found and nothing can be imported, and a person must say how an interrupted call
   * ended.
   */
  read?(
    id: string,
    known: { readonly inputs: I; readonly outputs: O } | undefined,
    context: DynamicContext,
  ): Later<KnownObject<I, O> | undefined>;
  /**
   * Changes the object in place. Returns its outputs as `create` does. Without this handler a change requires a new
   * object.
   */
  update?(old: KnownObject<I, O>, inputs: I, context: DynamicContext): Later<{ readonly outputs: O }>;
  /**
   * Deletes the object. Without this handler there is nothing to delete. Deleting an object that no longer exists
   * succeeds.
   */
  delete?(old: KnownObject<I, O>, context: DynamicContext): Later<void>;
  /** Replaces the comparison of single inputs. Called when every input is known. */
  diff?(old: KnownObject<I, O>, inputs: I, context: DynamicContext): Later<DynamicDiff<I>>;
  /** Returns the errors in the inputs. Called when every input is known. */
  check?(inputs: I, context: DynamicContext): Later<readonly DynamicFailure<I>[]>;
  /**
   * Returns ids of objects that an interrupted create with these inputs may have made. Finds them by the token or the
   * name.
   */
  lookup?(inputs: I, context: DynamicContext): Later<readonly string[]>;
}

/** Functions that manage objects, and settings of the provider. */
export interface DynamicDefinition<I extends object, O extends object> extends DynamicHandlers<I, O> {
  /** Inputs whose change requires a new object. */
  readonly replaceOnChange?: readonly (keyof I & string)[] | undefined;
  /** True if a replacement deletes the old object first. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Outputs that are secret, besides those with the name of a secret input. */
  readonly secretOutputs?: readonly (keyof O & string)[] | undefined;
  /** True if a retried create with the same `context.token` makes no second object. */
  readonly idempotencyToken?: boolean | undefined;
  /** Keys of the stack's configuration that the functions need. A key without a colon belongs to the project. */
  readonly config?: readonly string[] | undefined;
}

/** A provider that is part of the program. Created by {@link dynamicProvider}. */
export interface DynamicProvider<I extends object = object, O extends object = object> {
  readonly [DYNAMIC_PROVIDER]: {
    readonly definition: DynamicDefinition<I, O>;
    /** Place of the definition, in the module that exports it. */
    readonly site: CallSite | undefined;
    /** Set in a stored module: an error whose stack leads to the definition. */
    readonly defined?: Error | undefined;
  };
}

/**
 * Creates a provider from functions. A module other than the program's entry must export the result. Cairn stores that
 * module with everything that it imports, so that a later operation can use the functions without the program.
 */
export function dynamicProvider<I extends object, O extends object>(
  definition: DynamicDefinition<I, O>,
): DynamicProvider<I, O> {
  return { [DYNAMIC_PROVIDER]: { definition, site: callerOf(dynamicProvider) } };
}

/** Tells whether a value is a dynamic provider, of any copy of this package. */
export function isDynamicProvider(value: unknown): value is DynamicProvider {
  return typeof value === 'object' && value !== null && DYNAMIC_PROVIDER in value;
}

/** Returns the definition of a provider. */
export function definitionOf(provider: DynamicProvider): DynamicProvider[typeof DYNAMIC_PROVIDER] {
  return provider[DYNAMIC_PROVIDER];
}
