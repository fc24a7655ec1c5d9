import type { Input } from '@cairn/sdk';

/** What texts a string property takes. */
export interface StringLimits {
  readonly oneOf?: readonly string[] | undefined;
  /** In characters. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: RegExp | undefined;
}

/** What numbers a property takes; both ends included. */
export interface NumberLimits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** What lists a property takes. */
export interface ListLimits {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** The type of a property, as data. */
export type TypeSpec =
  | ({ readonly kind: 'string' } & StringLimits)
  | ({ readonly kind: 'integer' | 'number' } & NumberLimits)
  | { readonly kind: 'boolean' }
  | { readonly kind: 'any' }
  | ({ readonly kind: 'array'; readonly items: PropertySpec } & ListLimits)
  | { readonly kind: 'map'; readonly values: PropertySpec }
  | { readonly kind: 'object'; readonly properties: ShapeSpec };

/** Whether a program has to give the property, may give it, or gets a default. */
export type Presence = 'required' | 'optional' | 'defaulted';

/** Everything said about one property, as data. */
export interface PropertySpec {
  readonly type: TypeSpec;
  readonly presence: Presence;
  /** Defined when `presence` is `defaulted`. */
  readonly defaultValue: unknown;
  readonly secret: boolean;
  readonly replaceOnChange: boolean;
  readonly description: string;
}

/** Properties by name. */
export type ShapeSpec = Readonly<Record<string, PropertySpec>>;

declare const valueType: unique symbol;

/** A property of type `T` being described; each method gives a new description. */
export class Property<T, P extends Presence = Presence> {
  declare readonly [valueType]: T;
  declare private readonly presence: P;

  constructor(readonly spec: PropertySpec) {}

  /** The program may leave it out. */
  optional(): Property<T, 'optional'> {
    return new Property({ ...this.spec, presence: 'optional' });
  }

  /** What it is when the program leaves it out. */
  default(value: T): Property<T, 'defaulted'> {
    return new Property({ ...this.spec, presence: 'defaulted', defaultValue: value });
  }

  /** Never shown or stored in the clear. */
  secret(): Property<T, P> {
    return new Property({ ...this.spec, secret: true });
  }

  /** A change asks for a new object. */
  replaceOnChange(): Property<T, P> {
    return new Property({ ...this.spec, replaceOnChange: true });
  }

  /** What it means, for documentation and schema. */
  describe(text: string): Property<T, P> {
    return new Property({ ...this.spec, description: text });
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a shape holds properties of any type
type AnyProperty = Property<any, Presence>;

/** Described properties by name. */
export type Shape = Readonly<Record<string, AnyProperty>>;

type ValueOf<D> = D extends Property<infer T, Presence> ? T : never;
type KeysWith<S extends Shape, P extends Presence> = {
  [K in keyof S]: S[K] extends Property<infer _T, infer Q> ? (Q extends P ? K : never) : never;
}[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

/** Values of a shape as handlers see them: checked, defaults filled in. */
export type ValuesOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required' | 'defaulted'>]: ValueOf<S[K]> } & {
    readonly [K in KeysWith<S, 'optional'>]?: ValueOf<S[K]> | undefined;
  }
>;

/** Values of a shape as programs give them: outputs and promises allowed anywhere. */
export type ArgsOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required'>]: DeepInput<ValueOf<S[K]>> } & {
    readonly [K in KeysWith<S, 'optional' | 'defaulted'>]?: DeepInput<ValueOf<S[K]>> | undefined;
  }
>;

/** A value in which outputs and promises may stand anywhere. */
export type DeepInput<T> = Input<
  T extends readonly (infer E)[]
    ? readonly DeepInput<E>[]
    : T extends object
      ? { readonly [K in keyof T]: DeepInput<T[K]> }
      : T
>;

function property<T>(type: TypeSpec): Property<T, 'required'> {
  return new Property({
    type,
    presence: 'required',
    defaultValue: undefined,
    secret: false,
    replaceOnChange: false,
    description: '',
  });
}

/** Specs of a shape. */
export function shapeSpec(shape: Shape): ShapeSpec {
  return Object.fromEntries(Object.entries(shape).map(([name, { spec }]) => [name, spec]));
}

/** Describes the properties of resources, functions and provider configuration. Required until said otherwise. */
export const s = {
  string: (limits: StringLimits = {}) => property<string>({ kind: 'string', ...limits }),
  /** One of some texts. */
  oneOf: <const T extends string>(...values: readonly T[]) => property<T>({ kind: 'string', oneOf: values }),
  integer: (limits: NumberLimits = {}) => property<number>({ kind: 'integer', ...limits }),
  number: (limits: NumberLimits = {}) => property<number>({ kind: 'number', ...limits }),
  boolean: () => property<boolean>({ kind: 'boolean' }),
  /** Any value at all. */
  any: () => property<unknown>({ kind: 'any' }),
  array: <T>(items: Property<T, Presence>, limits: ListLimits = {}) =>
    property<readonly T[]>({ kind: 'array', items: items.spec, ...limits }),
  /** Values of one type by free keys. */
  map: <T>(values: Property<T, Presence>) =>
    property<Readonly<Record<string, T>>>({ kind: 'map', values: values.spec }),
  object: <S extends Shape>(shape: S) =>
    property<ValuesOf<S>>({ kind: 'object', properties: shapeSpec(shape) }),
};
