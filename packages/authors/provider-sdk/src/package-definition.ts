import type { CheckFailure } from '@cairn/wire';
import type { AnyComponent } from './component-definition.js';
import type { AnyResource, InputDiff } from './definition.js';
import type { HandlerContext } from './handler-context.js';
import type { PlainValues } from './schema/plain.js';
import type { ReportedOf, Shape, ValuesOf } from './schema/property.js';

/** A question the provider answers. */
export interface FunctionDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  /**
   * The answer follows from the arguments alone: it needs no configuration and looks at nothing. Terraform programs
   * call such a function in expressions, with its arguments in the order of `inputs`; it has no secrets.
   */
  readonly pure?: boolean | undefined;
  invoke(inputs: ValuesOf<I>, context: HandlerContext): Promise<ReportedOf<O>>;
}

// Handlers of one definition take the values of its own shapes; behind this type they get checked values only.
/** A function of any shape. */
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
  /** Rules about the configuration that its shape cannot say. Called when every value is known and of its type. */
  checkConfig?(config: PlainValues): readonly CheckFailure[] | Promise<readonly CheckFailure[]>;
  /**
   * In place of the comparison by shape, where only `replaceOnChange()` makes everything new. Keys in `replace` say
   * that objects are out of reach with the new configuration: all of them are replaced.
   */
  diffConfig?(old: PlainValues, config: PlainValues): InputDiff | Promise<InputDiff>;
  /**
   * Makes another package of this one: what the instance serves from then on. Absent: the package takes no parameters.
   * Throw a `ProviderError` for parameters that are none.
   */
  parameterize?(parameters: PackageParameters): Promise<ParameterizedPackage>;
  /** Creates, updates and deletes at a time, over all types. Absent: as many as the engine likes. */
  readonly maxInFlight?: number | undefined;
  /** By `module:Name`, e.g. `index:Password`. */
  readonly resources: Readonly<Record<string, AnyResource>>;
  /** Component classes for programs in any language, by `module:Name`. */
  readonly components?: Readonly<Record<string, AnyComponent>> | undefined;
  /** By `module:name`. */
  readonly functions?: Readonly<Record<string, AnyFunction>> | undefined;
}

/**
 * What a package is made of: words that a person typed when it was added, or what {@link ParameterizedPackage} kept of
 * them.
 */
export type PackageParameters =
  | { readonly kind: 'args'; readonly args: readonly string[] }
  | { readonly kind: 'value'; readonly name: string; readonly version: string; readonly value: Uint8Array };

/** A package that was made by parameters. */
export interface ParameterizedPackage {
  /** Its `name` is the package's own, different from that of the provider that made it. */
  readonly definition: ProviderDefinition;
  /** What makes the same package again: programs and states keep it. */
  readonly value: Uint8Array;
}

/** Describes a function; the types of its handler follow from its shapes. */
export function defineFunction<I extends Shape, O extends Shape>(
  definition: FunctionDefinition<I, O>,
): FunctionDefinition<I, O> {
  return definition;
}

/** Describes a provider package. Throws RangeError for tokens that are not `module:Name`. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  const { resources, components = {}, functions = {} } = definition;
  for (const token of [resources, components, functions].flatMap(Object.keys)) {
    if (!/^[^:]+:[^:]+$/.test(token))
      throw new RangeError(`${JSON.stringify(token)} is not of the form module:Name`);
  }
  return definition;
}
