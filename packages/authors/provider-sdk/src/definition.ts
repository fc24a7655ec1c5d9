import type { Urn } from '@cairn/addresses';
import type { PlainValues } from '@cairn/values';
import type { CheckFailure } from '@cairn/wire';
import type { HandlerContext } from './handler-context.js';
import type { ReportedOf, Shape, ValuesOf } from './schema/property.js';

/** An object: the provider's id for it and its reported outputs. */
export interface ObjectState<O> {
  readonly id: string;
  readonly outputs: O;
}

/** Result of a read: the object as it is, and the inputs that would create it in this state. */
export interface ReadObject<I, O> extends ObjectState<O> {
  readonly inputs: I;
  /**
   * Name of the person or program that changed the object last, if its API says so. It is reported where the object
   * differs from its record, and is stored nowhere. Leave it out rather than guess it.
   */
  readonly changedBy?: string | undefined;
}

/** Result of an author's own diff. Keys are names of inputs. */
export interface InputDiff {
  /** Inputs that differ. If empty, there is nothing to do. */
  readonly changed: readonly string[];
  /** Changed inputs that require a new object. */
  readonly replace?: readonly string[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
}

/**
 * A resource type: its properties and its handlers. Handlers receive plain values: checked, with defaults filled in,
 * without secret marks. An error in a handler fails the step. A plain error in create, update or delete leaves the
 * object in doubt. A `ProviderError` with a code other than UNKNOWN states that nothing was done, {@link InitFailed}
 * that it was done in part.
 */
export interface ResourceDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  /** Outputs. Those with the name of an input have its value in previews. */
  readonly outputs: O;
  /** Checks rules that the schema cannot express. Called when every input is known and of its type. */
  check?(
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): readonly CheckFailure[] | Promise<readonly CheckFailure[]>;
  /** Replaces the comparison by schema. Called when every input is known. */
  diff?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): InputDiff | Promise<InputDiff>;
  create(inputs: ValuesOf<I>, context: HandlerContext): Promise<ObjectState<ReportedOf<O>>>;
  /**
   * Returns the object as it is, or undefined if it no longer exists. `known` is the last known state; undefined for an
   * import, where only the id is given. Without `read` no drift is found and nothing can be imported. A person must
   * then say how an interrupted update or delete ended, unless it is `repeatable`.
   */
  read?(
    id: string,
    known: { readonly inputs: ValuesOf<I>; readonly outputs: ReportedOf<O> } | undefined,
    context: HandlerContext,
  ): Promise<ReadObject<ValuesOf<I>, ReportedOf<O>> | undefined>;
  /** Updates the object. Without it every change requires a new object. */
  update?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): Promise<ReportedOf<O>>;
  /** Deletes the object. Without it there is nothing to delete. Deleting an object that no longer exists succeeds. */
  delete?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    context: HandlerContext,
  ): Promise<void>;
  /**
   * Returns outputs that a preview can predict in addition. By default, outputs with the name of an input have its
   * value, and `stableOutputs` remain. `known` contains the known inputs. A predicted output must come true.
   */
  preview?(
    known: Partial<ValuesOf<I>>,
    old: (ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> }) | undefined,
    context: HandlerContext,
  ): Partial<ReportedOf<O>> | Promise<Partial<ReportedOf<O>>>;
  /** Outputs that an update never changes, so that previews know them. */
  readonly stableOutputs?: readonly (keyof O & string)[] | undefined;
  /** Outputs from which inputs can be read or guessed. They are secret if one of those inputs is. */
  readonly reveals?: { readonly [K in keyof O & string]?: readonly (keyof I & string)[] } | undefined;
  /** Time limits in seconds if the program sets none. Defaults to no limit. */
  readonly timeouts?: CallTimeouts | undefined;
  /**
   * Changes of the properties between versions of the type, oldest first. The first entry converts properties stored
   * before there were any entries to the second version, and so on. Add one whenever properties are renamed or change
   * their meaning; never remove one. Handlers only ever see values of the newest version.
   */
  readonly migrations?: readonly StateMigration[] | undefined;
  /** Functions of an object, by name: programs call them as `package:module:Type/name`. */
  readonly methods?: Readonly<Record<string, AnyMethod>> | undefined;
  /**
   * Returns the parts of the object that users see as resources below it, as they are after every create, read and
   * update.
   */
  views?(object: ObjectState<ReportedOf<O>>): readonly ViewOf[];
  /** True if a replacement deletes the old object first, unless the program says otherwise. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /**
   * Set if a retried create with the same `context.token` makes no second object and returns the first one. `maxLength`
   * is the token's limit in characters. Also correct for types whose create has the same effect however often it runs,
   * or makes nothing besides its answer.
   */
  readonly idempotencyToken?: boolean | { readonly maxLength?: number | undefined } | undefined;
  /**
   * Returns ids of objects that an interrupted create with these inputs may have made. They have the token in
   * `context`, or the name that the resource gives them. The engine omits those that the stack already has.
   */
  lookup?(inputs: ValuesOf<I>, context: HandlerContext): Promise<readonly string[]>;
  /** Seconds that a new object may exist before `lookup` finds it. Defaults to 30. */
  readonly settleTime?: number | undefined;
  /**
   * True if its objects hold data that a new object in their place would not have. A rollback does not delete them by
   * itself.
   */
  readonly holdsData?: boolean | undefined;
  /**
   * Source of `read`: `world` is the object itself; `record` is only the `known` state, so that its answer proves
   * nothing. Defaults to `world` if there is a `read`.
   */
  readonly reads?: 'world' | 'record' | undefined;
  /**
   * Calls that reach the same end when they run twice with the same values. After a crash the engine runs them again
   * without a question if the object cannot be read. Defaults to none. Without a `delete`, deleting is always
   * repeatable.
   */
  readonly repeatable?: readonly ('update' | 'delete')[] | undefined;
  /**
   * `arguments` promises that `check`, `diff` and `migrations` read nothing but their arguments, the configuration and
   * the code of this version. Neither files, clocks nor services count. An object that was created or updated with some
   * inputs must have no diff with the same inputs. The engine then does not ask about resources whose inputs are those
   * of the last success. Give the provider another version whenever one of these functions changes. By default the
   * engine always asks.
   */
  readonly compares?: 'arguments' | undefined;
  /** Maximum number of concurrent creates, updates and deletes of this type. Defaults to the engine's choice. */
  readonly maxInFlight?: number | undefined;
  /** Inputs that identify the object such calls lock: of calls with equal values only one runs at a time. */
  readonly exclusive?: readonly (keyof I & string)[] | undefined;
}

/** Time limits of calls, in seconds. */
export interface CallTimeouts {
  readonly create?: number | undefined;
  readonly read?: number | undefined;
  readonly update?: number | undefined;
  readonly delete?: number | undefined;
}

/** Converts properties of one version of a resource type to those of the next. Missing functions change nothing. */
export interface StateMigration {
  inputs?(old: PlainValues): PlainValues;
  outputs?(old: PlainValues): PlainValues;
}

/** A read-only part of an object. */
export interface ViewOf {
  /** Type, as `module:Name` or a whole type token. */
  readonly type: string;
  readonly name: string;
  /** The view that this one is below. Defaults to the object itself. */
  readonly parent?: { readonly type: string; readonly name: string } | undefined;
  readonly inputs?: PlainValues | undefined;
  readonly outputs: PlainValues;
}

/** A function of an object. */
export interface MethodDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  /** Calls the method. `self` is its object. */
  call(
    self: { readonly urn: Urn; readonly id: string },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): Promise<ReportedOf<O>>;
}

// Handlers of one definition take the values of its own shapes. Behind this type they get checked values only.
/** A method of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyMethod = MethodDefinition<any, any>;

/** Defines a method. The types of its handler follow from its shapes. */
export function defineMethod<I extends Shape, O extends Shape>(
  definition: MethodDefinition<I, O>,
): MethodDefinition<I, O> {
  return definition;
}

/** A resource of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyResourceDefinition = ResourceDefinition<any, any>;

/** Defines a resource type. The types of its handlers follow from its shapes. */
export function defineResource<I extends Shape, O extends Shape>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}
