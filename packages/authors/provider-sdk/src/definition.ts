import type { Urn } from '@cairn/addresses';
import type { CheckFailure } from '@cairn/wire';
import type { HandlerContext } from './handler-context.js';
import type { PlainValues } from './schema/plain.js';
import type { ReportedOf, Shape, ValuesOf } from './schema/property.js';

/** An object with the provider's name for it and what is reported of it. */
export interface ObjectState<O> {
  readonly id: string;
  readonly outputs: O;
}

/** What reading found: the object as it is, and the inputs that would make it so. */
export interface ReadObject<I, O> extends ObjectState<O> {
  readonly inputs: I;
}

/** An author's own answer to a diff; keys are names of inputs. */
export interface InputDiff {
  /** Inputs that differ. None: nothing to do. */
  readonly changed: readonly string[];
  /** Those of them that ask for a new object. */
  readonly replace?: readonly string[] | undefined;
  readonly deleteBeforeReplace?: boolean | undefined;
}

/**
 * A resource type: its properties and what is done about its objects. Handlers get plain values: checked, defaults
 * filled in, without secret marks. What they throw fails the step; a plain error in create, update or delete leaves the
 * object in doubt, a `ProviderError` with another code than UNKNOWN says that nothing was done, {@link InitFailed} that
 * it was done in part.
 */
export interface ResourceDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  /** What is reported. Outputs with the name of an input have its value in previews. */
  readonly outputs: O;
  /** Rules that the schema cannot say. Called when every input is known and of its type. */
  check?(
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): readonly CheckFailure[] | Promise<readonly CheckFailure[]>;
  /** In place of the comparison by schema. Called when every input is known. */
  diff?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): InputDiff | Promise<InputDiff>;
  create(inputs: ValuesOf<I>, context: HandlerContext): Promise<ObjectState<ReportedOf<O>>>;
  /**
   * The object as it is now; undefined when it is gone. `known` is what was last known of it; undefined for an import,
   * where only the id is given. Without `read` nothing drifts, nothing can be imported, and of an update or a delete
   * that was cut short a person must say what became of it, unless it is `repeatable`.
   */
  read?(
    id: string,
    known: { readonly inputs: ValuesOf<I>; readonly outputs: ReportedOf<O> } | undefined,
    context: HandlerContext,
  ): Promise<ReadObject<ValuesOf<I>, ReportedOf<O>> | undefined>;
  /** Without it every change asks for a new object. */
  update?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): Promise<ReportedOf<O>>;
  /** Without it there is nothing to take away. Deleting what is gone succeeds. */
  delete?(
    old: ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> },
    context: HandlerContext,
  ): Promise<void>;
  /**
   * Outputs that a preview can tell, beside what it tells by itself: outputs with the name of an input have its value,
   * `stableOutputs` stay. `known`: inputs, without those that are not known yet. What is told must come true.
   */
  preview?(
    known: Partial<ValuesOf<I>>,
    old: (ObjectState<ReportedOf<O>> & { readonly inputs: ValuesOf<I> }) | undefined,
    context: HandlerContext,
  ): Partial<ReportedOf<O>> | Promise<Partial<ReportedOf<O>>>;
  /** Outputs that an update never changes: previews know them. */
  readonly stableOutputs?: readonly (keyof O & string)[] | undefined;
  /** Outputs from which inputs can be read or guessed: they are secret when one of those inputs is. */
  readonly reveals?: { readonly [K in keyof O & string]?: readonly (keyof I & string)[] } | undefined;
  /** Time limits in seconds where the program sets none. Absent: no limit. */
  readonly timeouts?: CallTimeouts | undefined;
  /**
   * What became of the properties in earlier versions of the type, oldest first: the first entry turns what was stored
   * before there were any into the second version, and so on. Add one whenever properties are renamed or get another
   * meaning; never remove one. Handlers only ever see values of the newest version.
   */
  readonly migrations?: readonly Migration[] | undefined;
  /** Functions of an object, by name: programs call them as `package:module:Type/name`. */
  readonly methods?: Readonly<Record<string, AnyMethod>> | undefined;
  /** Parts of the object that users see as resources below it, as they are after every create, read and update. */
  views?(object: ObjectState<ReportedOf<O>>): readonly ViewOf[];
  /** A replacement deletes the old object first, unless the program says otherwise. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /**
   * A create that comes again with the same `context.token` makes no second object: it answers with the first one.
   * `maxLength`: of the token, in characters. Also right for types whose create does the same however often it runs, or
   * makes nothing besides its answer.
   */
  readonly idempotencyToken?: boolean | { readonly maxLength?: number | undefined } | undefined;
  /**
   * Ids of objects that an interrupted create with these inputs may have made: those with the token in `context`, or
   * with the name that the resource gives them. The engine leaves out those that the stack has already.
   */
  lookup?(inputs: ValuesOf<I>, context: HandlerContext): Promise<readonly string[]>;
  /** How long a new object may be there before `lookup` finds it. Seconds; absent: 30. */
  readonly settleTime?: number | undefined;
  /**
   * Its objects hold data that a new object in their place would not have: a rollback does not take them away by
   * itself.
   */
  readonly holdsData?: boolean | undefined;
  /**
   * What `read` answers from: `world`, the object itself; `record`, only what is told as `known`, so that its answer
   * proves nothing. Absent: `world` when there is a `read`.
   */
  readonly reads?: 'world' | 'record' | undefined;
  /**
   * Calls that come to the same end when they run twice with the same values: after a crash they are run again without
   * a question when nobody can look. Absent: none. Where there is no `delete`, deleting is always repeatable.
   */
  readonly repeatable?: readonly ('update' | 'delete')[] | undefined;
  /** Creates, updates and deletes of this type at a time. Absent: as many as the engine likes. */
  readonly maxInFlight?: number | undefined;
  /** Inputs that say what such calls keep to themselves: of those with equal values only one runs at a time. */
  readonly exclusive?: readonly (keyof I & string)[] | undefined;
}

/** Seconds that calls of a kind may take. */
export interface CallTimeouts {
  readonly create?: number | undefined;
  readonly read?: number | undefined;
  readonly update?: number | undefined;
  readonly delete?: number | undefined;
}

/** Turns properties of one version of a resource type into those of the next. What is absent stays as it is. */
export interface Migration {
  inputs?(old: PlainValues): PlainValues;
  outputs?(old: PlainValues): PlainValues;
}

/** A read-only part of an object. */
export interface ViewOf {
  /** `module:Name`, or a whole type token. */
  readonly type: string;
  readonly name: string;
  /** The view that it is below; absent: the object itself. */
  readonly parent?: { readonly type: string; readonly name: string } | undefined;
  readonly inputs?: PlainValues | undefined;
  readonly outputs: PlainValues;
}

/** A function of an object. */
export interface MethodDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  /** `self` is the object that it was called on. */
  call(
    self: { readonly urn: Urn; readonly id: string },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): Promise<ReportedOf<O>>;
}

// Handlers of one definition take the values of its own shapes; behind this type they get checked values only.
/** A method of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyMethod = MethodDefinition<any, any>;

/** Describes a method; the types of its handler follow from its shapes. */
export function defineMethod<I extends Shape, O extends Shape>(
  definition: MethodDefinition<I, O>,
): MethodDefinition<I, O> {
  return definition;
}

/** A resource of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyResource = ResourceDefinition<any, any>;

/** Describes a resource type; the types of its handlers follow from its shapes. */
export function defineResource<I extends Shape, O extends Shape>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}
