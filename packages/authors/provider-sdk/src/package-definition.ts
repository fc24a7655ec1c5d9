import type { PlainValues } from '@cairn/values';
import type { CheckFailure } from '@cairn/wire';
import type { AnyComponent } from './component-definition.js';
import type { AnyResourceDefinition, InputDiff } from './definition.js';
import type { HandlerContext } from './handler-context.js';
import type { ReportedOf, Shape, ValuesOf } from './schema/property.js';

/** A function of the provider. */
export interface FunctionDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  /**
   * True if the answer follows from the arguments alone: the function needs no configuration and reads nothing else.
   * Terraform programs call such a function in expressions, with its arguments in the order of `inputs`. It has no
   * secrets.
   */
  readonly pure?: boolean | undefined;
  invoke(inputs: ValuesOf<I>, context: HandlerContext): Promise<ReportedOf<O>>;
}

// Handlers of one definition take the values of its own shapes. Behind this type they get checked values only.
/** A function of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyFunction = FunctionDefinition<any, any>;

/** A provider package. */
export interface ProviderDefinition {
  /** Package name: the first part of its type tokens. */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  readonly description?: string | undefined;
  /** Configuration of an instance. Texts from the stack's configuration are converted to the property's type. */
  readonly config?: Shape | undefined;
  /**
   * Checks rules about the configuration that its shape cannot express. Called when every value is known and of its
   * type.
   */
  checkConfig?(config: PlainValues): readonly CheckFailure[] | Promise<readonly CheckFailure[]>;
  /**
   * Replaces the comparison by shape, in which only `replaceOnChange()` replaces everything. Keys in `replace` mean
   * that objects are out of reach with the new configuration: all of them are replaced.
   */
  diffConfig?(old: PlainValues, config: PlainValues): InputDiff | Promise<InputDiff>;
  /**
   * Creates another package from this one, which the instance serves from then on. Without it the package takes no
   * parameters. Throw a `ProviderError` for invalid parameters.
   */
  parameterize?(parameters: PackageParameters): Promise<ParameterizedPackage>;
  /** Promise of all listed types, unless a type has its own; see `compares` of `ResourceDefinition`. */
  readonly compares?: 'arguments' | undefined;
  /** Maximum number of concurrent creates, updates and deletes over all types. Defaults to the engine's choice. */
  readonly maxInFlight?: number | undefined;
  /** Resource types by `module:Name`, for example `index:Password`. */
  readonly resources: Readonly<Record<string, AnyResourceDefinition>>;
  /** Component classes for programs in any language, by `module:Name`. */
  readonly components?: Readonly<Record<string, AnyComponent>> | undefined;
  /** Functions by `module:name`. */
  readonly functions?: Readonly<Record<string, AnyFunction>> | undefined;
}

/** A provider that serves resources of every type with one definition. */
export interface OpenDefinition extends ProviderDefinition {
  /**
   * Returns the definition for all types, when the instance is configured. Properties besides those of its shapes pass
   * unchecked.
   */
  anyResource?(config: PlainValues): Promise<AnyResourceDefinition>;
}

/**
 * Parameters of a package: words that a person typed when it was added, or the value kept by
 * {@link ParameterizedPackage}.
 */
export type PackageParameters =
  | { readonly kind: 'args'; readonly args: readonly string[] }
  | { readonly kind: 'value'; readonly name: string; readonly version: string; readonly value: Uint8Array };

/** A package created by parameters. */
export interface ParameterizedPackage {
  /**
   * Definition of the package. Its `name` is the package's own and differs from that of the provider that created it.
   */
  readonly definition: ProviderDefinition;
  /** Value that creates the same package again. Programs and states keep it. */
  readonly value: Uint8Array;
}

/** Defines a function. The types of its handler follow from its shapes. */
export function defineFunction<I extends Shape, O extends Shape>(
  definition: FunctionDefinition<I, O>,
): FunctionDefinition<I, O> {
  return definition;
}

/** Defines a provider package. Throws RangeError for tokens that are not `module:Name`. */
export function defineProvider(definition: ProviderDefinition): ProviderDefinition {
  const { resources, components = {}, functions = {} } = definition;
  for (const token of [resources, components, functions].flatMap(Object.keys)) {
    if (!/^[^:]+:[^:]+$/.test(token))
      throw new RangeError(`${JSON.stringify(token)} is not of the form module:Name`);
  }
  return definition;
}
