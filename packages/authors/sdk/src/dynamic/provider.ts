import type { Urn } from '@cairn/addresses';
import { PROVIDER } from './brand.js';
import { callerOf } from '../resource/source-position.js';
import type { CallSite } from '../resource/source-position.js';

/** What a handler of a dynamic provider is told besides values. */
export interface DynamicContext {
  readonly urn: Urn;
  /** Logical name of the resource. */
  readonly name: string;
  /** Aborted when the user cancels or the time is up; its reason is the error to fail with. */
  readonly signal: AbortSignal;
  /** What the definition's `config` asks for, by key; a key that is not set is absent. */
  readonly config: Readonly<Record<string, string | undefined>>;
  /**
   * For a create and a look-up: the same for every repetition of the same create. Undefined when the engine knows none.
   */
  readonly token?: string | undefined;
  /** Fails the call and says that nothing was done; any other error leaves in doubt what became of the object. */
  fail(message: string): never;
}

/** An object: its name, given by whoever keeps it, and what is reported of it. */
export interface DynamicObject<O> {
  readonly id: string;
  readonly outputs: O;
}

/** An object that is there, with the inputs that it was made from. */
export interface KnownObject<I, O> extends DynamicObject<O> {
  readonly inputs: I;
}

/** What differs between the inputs of an object and those that are wanted. */
export interface DynamicDiff<I> {
  /** Inputs that differ. None: nothing to do. */
  readonly changed: readonly (keyof I & string)[];
  /** Those of them that ask for a new object. */
  readonly replace?: readonly (keyof I & string)[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
}

/** An input that is refused. */
export interface DynamicFailure<I> {
  /** Empty: all of them together. */
  readonly property: (keyof I & string) | '';
  readonly reason: string;
}

type Later<T> = T | Promise<T>;

/**
 * Functions that manage objects. They get plain values, secrets bare. An output with the name of an input is expected
 * to have its value; the others are not known in a preview.
 */
export interface DynamicHandlers<I extends object, O extends object> {
  /** Makes the object. */
  create(inputs: I, context: DynamicContext): Later<DynamicObject<O>>;
  /**
   * The object as it is; undefined when it is gone. `known` is what was last known of it; undefined for an import.
   * Without `read` nothing drifts and nothing can be imported, and a person must say what became of a call that was cut
   * short.
   */
  read?(
    id: string,
    known: { readonly inputs: I; readonly outputs: O } | undefined,
    context: DynamicContext,
  ): Later<KnownObject<I, O> | undefined>;
  /** Changes the object in place; returns its outputs as `create` does. Without it a change asks for a new object. */
  update?(old: KnownObject<I, O>, inputs: I, context: DynamicContext): Later<{ readonly outputs: O }>;
  /** Takes the object away. Without it there is nothing to take away. Deleting what is gone succeeds. */
  delete?(old: KnownObject<I, O>, context: DynamicContext): Later<void>;
  /** In place of comparing inputs one by one. Called when every input is known. */
  diff?(old: KnownObject<I, O>, inputs: I, context: DynamicContext): Later<DynamicDiff<I>>;
  /** What is wrong with inputs. Called when every input is known. */
  check?(inputs: I, context: DynamicContext): Later<readonly DynamicFailure<I>[]>;
  /** Ids of objects that an interrupted create with these inputs may have made: with the token, or the name. */
  lookup?(inputs: I, context: DynamicContext): Later<readonly string[]>;
}

/** Functions that manage objects, and what is said about them. */
export interface DynamicDefinition<I extends object, O extends object> extends DynamicHandlers<I, O> {
  /** Inputs whose change asks for a new object. */
  readonly replaceOnChange?: readonly (keyof I & string)[] | undefined;
  /** A replacement deletes the old object first. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /** Outputs that are secret, besides those with the name of a secret input. */
  readonly secretOutputs?: readonly (keyof O & string)[] | undefined;
  /** A create that comes again with the same `context.token` makes no second object. */
  readonly idempotencyToken?: boolean | undefined;
  /** Keys of the stack's configuration that the functions need; one without a colon is the project's own. */
  readonly config?: readonly string[] | undefined;
}

/** A provider that is part of the program; made by {@link dynamicProvider}. */
export interface DynamicProvider<I extends object = object, O extends object = object> {
  readonly [PROVIDER]: {
    readonly definition: DynamicDefinition<I, O>;
    /** Where it is defined: in the module that exports it. */
    readonly site: CallSite | undefined;
    /** In a stored module: an error whose stack leads to the definition. */
    readonly defined?: Error | undefined;
  };
}

/**
 * Makes a provider of functions. The result must be exported by a module other than the program's entry: that module,
 * with what it imports, is stored, so that a later operation can use the functions when the program is no more.
 */
export function dynamicProvider<I extends object, O extends object>(
  definition: DynamicDefinition<I, O>,
): DynamicProvider<I, O> {
  return { [PROVIDER]: { definition, site: callerOf(dynamicProvider) } };
}

/** Whether a value is a dynamic provider, of any copy of this package. */
export function isDynamicProvider(value: unknown): value is DynamicProvider {
  return typeof value === 'object' && value !== null && PROVIDER in value;
}

/** What a provider was made of. */
export function definitionOf(provider: DynamicProvider): DynamicProvider[typeof PROVIDER] {
  return provider[PROVIDER];
}
