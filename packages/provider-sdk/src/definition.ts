import type { Urn } from '@cairn/addresses';
import type { CheckFailure } from '@cairn/wire';
import type { Shape, ValuesOf } from './schema/property.js';

/** What a handler is told besides values. */
export interface HandlerContext<Config = Readonly<Record<string, unknown>>> {
  /** Empty for functions. */
  readonly urn: Urn;
  /** Logical name of the resource; empty for functions. */
  readonly name: string;
  /** Aborted when the user cancels or the time is up; its reason is the error to fail with. */
  readonly signal: AbortSignal;
  /** Base of relative paths: the program's directory. */
  readonly programDirectory: string;
  /** Checked configuration of the provider instance. */
  readonly config: Config;
  /** The text with every secret input replaced: for messages that quote what a tool said. */
  redact(text: string): string;
  /**
   * For a create of a type with `idempotencyToken`, and for a look-up: the same for every repetition of the same
   * create. Undefined when the engine knows none.
   */
  readonly token?: string | undefined;
  /** For a create: what `progress` was told before the operation was interrupted. Wait for that work; begin nothing. */
  readonly progressId?: string | undefined;
  /**
   * For a create that takes long: says what the object, or the work on it, is called, as soon as that is known.
   * Resolves when it is stored; go on only then. After a crash the create is called again, with `progressId`.
   */
  progress?(id: string): Promise<void>;
}

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
    old: ObjectState<ValuesOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): InputDiff | Promise<InputDiff>;
  create(inputs: ValuesOf<I>, context: HandlerContext): Promise<ObjectState<ValuesOf<O>>>;
  /**
   * The object as it is now; undefined when it is gone. `known` is what was last known of it; undefined for an import,
   * where only the id is given. Without `read` nothing drifts, nothing can be imported, and of an update or a delete
   * that was cut short a person must say what became of it, unless it is `repeatable`.
   */
  read?(
    id: string,
    known: { readonly inputs: ValuesOf<I>; readonly outputs: ValuesOf<O> } | undefined,
    context: HandlerContext,
  ): Promise<ReadObject<ValuesOf<I>, ValuesOf<O>> | undefined>;
  /** Without it every change asks for a new object. */
  update?(
    old: ObjectState<ValuesOf<O>> & { readonly inputs: ValuesOf<I> },
    inputs: ValuesOf<I>,
    context: HandlerContext,
  ): Promise<ValuesOf<O>>;
  /** Without it there is nothing to take away. Deleting what is gone succeeds. */
  delete?(
    old: ObjectState<ValuesOf<O>> & { readonly inputs: ValuesOf<I> },
    context: HandlerContext,
  ): Promise<void>;
  /** Outputs that an update never changes: previews know them. */
  readonly stableOutputs?: readonly (keyof O & string)[] | undefined;
  /** Outputs from which inputs can be read or guessed: they are secret when one of those inputs is. */
  readonly reveals?: { readonly [K in keyof O & string]?: readonly (keyof I & string)[] } | undefined;
  /** A replacement deletes the old object first, unless the program says otherwise. */
  readonly deleteBeforeReplace?: boolean | undefined;
  /**
   * A create that comes again with the same `context.token` makes no second object: it answers with the first one.
   * `maxLength`: of the token, in characters. Also right for types whose create does the same however often it runs.
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

/** A question the provider answers. */
export interface FunctionDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  invoke(inputs: ValuesOf<I>, context: HandlerContext): Promise<ValuesOf<O>>;
}

// Handlers of one definition take the values of its own shapes; behind this type they get checked values only.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyResource = ResourceDefinition<any, any>;
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyFunction = FunctionDefinition<any, any>;

/** A provider package. */
export interface ProviderDefinition {
  /** Package name: first part of its type tokens. */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  readonly description?: string | undefined;
  /** Configuration of an instance; texts from the stack's configuration are read as the type says. */
  readonly config?: Shape | undefined;
  /** Creates, updates and deletes at a time, over all types. Absent: as many as the engine likes. */
  readonly maxInFlight?: number | undefined;
  /** By `module:Name`, e.g. `index:Password`. */
  readonly resources: Readonly<Record<string, AnyResource>>;
  /** By `module:name`. */
  readonly functions?: Readonly<Record<string, AnyFunction>> | undefined;
}

/** Describes a resource type; the types of its handlers follow from its shapes. */
export function defineResource<I extends Shape, O extends Shape>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}

/** Describes a function; the types of its handler follow from its shapes. */
export function defineFunction<I extends Shape, O extends Shape>(
  definition: FunctionDefinition<I, O>,
): FunctionDefinition<I, O> {
  return definition;
}

/** Describes a provider package. Throws RangeError for tokens that are not `module:Name`. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  for (const token of [...Object.keys(definition.resources), ...Object.keys(definition.functions ?? {})]) {
    if (!/^[^:]+:[^:]+$/.test(token))
      throw new RangeError(`${JSON.stringify(token)} is not of the form module:Name`);
  }
  return definition;
}
