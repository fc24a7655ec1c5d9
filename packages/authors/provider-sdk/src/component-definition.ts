import type { Urn } from '@cairn/addresses';
import type { ComponentResource, ComponentResourceOptions } from '@cairn/sdk';
import type { HandlerContext } from './handler-context.js';
import type { DeepInput, ReportedOf, Shape, ValueOfProperty, ValuesOf } from './schema/property.js';

/**
 * Arguments in the form that the constructor of a component takes: checked, with defaults filled in, outputs anywhere.
 */
export type ComponentArgsOf<S extends Shape> = {
  readonly [K in keyof ValuesOf<S>]: K extends keyof S
    ? DeepInput<ValueOfProperty<S[K]>> | (undefined extends ValuesOf<S>[K] ? undefined : never)
    : never;
};

/** A component class that programs in any language can use. */
export interface ComponentDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  /** Outputs that the component registers. */
  readonly outputs: O;
  /**
   * Creates a component: `(name, args, options) => new Site(name, args, options)`. The class registers itself with the
   * type token that the package gives it, and ends with `registerOutputs`.
   */
  create(name: string, args: ComponentArgsOf<I>, options: ComponentResourceOptions): ComponentResource;
  /** Functions of a component, by name: programs call them as `package:module:Type/name`. */
  readonly methods?: Readonly<Record<string, AnyComponentMethod>> | undefined;
}

/**
 * A function of a component. It runs as a part of the calling program: it may invoke and declare whatever programs may.
 */
export interface ComponentMethodDefinition<I extends Shape = Shape, O extends Shape = Shape> {
  readonly description?: string | undefined;
  readonly inputs: I;
  readonly outputs: O;
  /** `self` is the component that it was called on. */
  call(self: { readonly urn: Urn }, inputs: ValuesOf<I>, context: HandlerContext): Promise<ReportedOf<O>>;
}

// Handlers of one definition take the values of its own shapes. Behind these types they get checked values only.
/** A component of any shape. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyComponent = ComponentDefinition<any, any>;
/** A method of any component. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyComponentMethod = ComponentMethodDefinition<any, any>;

/** Defines a component for programs in any language. The types of its constructor's arguments follow. */
export function defineComponent<I extends Shape, O extends Shape>(
  definition: ComponentDefinition<I, O>,
): ComponentDefinition<I, O> {
  return definition;
}

/** Defines a method of a component. The types of its handler follow from its shapes. */
export function defineComponentMethod<I extends Shape, O extends Shape>(
  definition: ComponentMethodDefinition<I, O>,
): ComponentMethodDefinition<I, O> {
  return definition;
}
