import type { Input } from '@cairn/sdk';
import type { PropertyPath } from '@cairn/values';

/** Texts that a string property accepts. */
export interface StringLimits {
  readonly oneOf?: readonly string[] | undefined;
  /** Name of the enum for `oneOf` in schemas. Defaults to a name derived from its place. */
  readonly name?: string | undefined;
  /** Names of the members of that enum, in the order of `oneOf`. Default to the texts. */
  readonly memberNames?: readonly string[] | undefined;
  /** Minimum length in characters. */
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: RegExp | undefined;
}

/** Numbers that a property accepts, including both ends. */
export interface NumberLimits {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Lists that a property accepts. */
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
  /** A file or other content. `asset` accepts archives too. */
  | { readonly kind: 'asset' | 'archive' }
  /** A reference to a resource of that type of the package, such as `index:Site`, or of any type. */
  | { readonly kind: 'resource'; readonly token?: string | undefined }
  | ({ readonly kind: 'array'; readonly items: PropertySpec; readonly unordered?: boolean } & ListLimits)
  | { readonly kind: 'map'; readonly values: PropertySpec }
  /** `name` is the name of its type in schemas. Defaults to a name derived from its place. */
  | { readonly kind: 'object'; readonly properties: ShapeSpec; readonly name?: string | undefined };

/** Rules for generating an object's name if the program sets none. */
export interface NamingRules {
  /** Text between the resource's name and the random part. Defaults to a hyphen. */
  readonly separator?: string | undefined;
  /** Number of random hexadecimal digits at the end. Defaults to 7. */
  readonly digits?: number | undefined;
}

/**
 * Presence of a property: the program must set it, may set it, gets a default, or leaves it to the provider, which
 * reports its choice.
 */
export type Presence = 'required' | 'optional' | 'defaulted' | 'computed';

/** The specification of one property, as data. */
export interface PropertySpec {
  readonly type: TypeSpec;
  readonly presence: Presence;
  /** Defined if `presence` is `defaulted`. */
  readonly defaultValue: unknown;
  readonly secret: boolean;
  readonly replaceOnChange: boolean;
  /** True if a change is refused. */
  readonly immutable: boolean;
  /** Rules for generating a name if the program sets none. Undefined if no name is generated. */
  readonly naming: NamingRules | undefined;
  readonly description: string;
}

/** Properties by name. */
export type ShapeSpec = Readonly<Record<string, PropertySpec>>;

declare const valueType: unique symbol;

/** A property of type `T` that is being described. Each method returns a new description. */
export class Property<T, P extends Presence = Presence> {
  declare readonly [valueType]: T;
  declare private readonly presence: P;

  constructor(readonly spec: PropertySpec) {}

  /** Makes the property optional for the program. */
  optional(): Property<T, 'optional'> {
    return new Property({ ...this.spec, presence: 'optional' });
  }

  /** Sets the value that applies if the program omits the property. */
  default(value: T): Property<T, 'defaulted'> {
    return new Property({ ...this.spec, presence: 'defaulted', defaultValue: value });
  }

  /**
   * Makes the property optional for the program. The provider then chooses the value and reports it in the output of
   * this name. Its choice is no difference as long as the program does not request another value.
   */
  computed(): Property<T, 'computed'> {
    return new Property({ ...this.spec, presence: 'computed' });
  }

  /**
   * Generates a name if the program omits the property: the resource's name and a random part, or as the stack's
   * setting `autonaming` defines. The object keeps it. For texts at the top level of a resource's inputs.
   */
  autoname(this: Property<string, Presence>, naming: NamingRules = {}): Property<string, 'defaulted'> {
    return new Property({ ...this.spec, presence: 'defaulted', naming });
  }

  /** Makes the value secret: it is never shown or stored in the clear. */
  secret(): Property<T, P> {
    return new Property({ ...this.spec, secret: true });
  }

  /** Makes a change require a new object. */
  replaceOnChange(): Property<T, P> {
    return new Property({ ...this.spec, replaceOnChange: true });
  }

  /** Makes the value fixed for the object's lifetime: the check refuses a change. */
  immutable(): Property<T, P> {
    return new Property({ ...this.spec, immutable: true });
  }

  /** Sets the description, for documentation and schema. */
  describe(text: string): Property<T, P> {
    return new Property({ ...this.spec, description: text });
  }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a shape holds properties of any type
type AnyProperty = Property<any, Presence>;

/** Described properties by name. */
export type Shape = Readonly<Record<string, AnyProperty>>;

/** The type of a described property's values. */
export type ValueOfProperty<D> = D extends Property<infer T, Presence> ? T : never;
type ValueOf<D> = ValueOfProperty<D>;
type KeysWith<S extends Shape, P extends Presence> = {
  [K in keyof S]: S[K] extends Property<infer _T, infer Q> ? (Q extends P ? K : never) : never;
}[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

/** Values of a shape as handlers see them: checked, with defaults filled in. */
export type ValuesOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required' | 'defaulted'>]: ValueOf<S[K]> } & {
    readonly [K in KeysWith<S, 'optional' | 'computed'>]?: ValueOf<S[K]> | undefined;
  }
>;

/** Values of a shape as `create`, `read` and `update` report them, including those that the provider chose. */
export type ReportedOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required' | 'defaulted' | 'computed'>]: ValueOf<S[K]> } & {
    readonly [K in KeysWith<S, 'optional'>]?: ValueOf<S[K]> | undefined;
  }
>;

/** Values of a shape as programs give them: outputs and promises allowed anywhere. */
export type ArgsOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required'>]: DeepInput<ValueOf<S[K]>> } & {
    readonly [K in KeysWith<S, 'optional' | 'defaulted' | 'computed'>]?: DeepInput<ValueOf<S[K]>> | undefined;
  }
>;

/** A value that may contain outputs and promises anywhere. */
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
    immutable: false,
    naming: undefined,
    description: '',
  });
}

/** Returns the specifications of a shape. */
export function shapeSpec(shape: Shape): ShapeSpec {
  return Object.fromEntries(Object.entries(shape).map(([name, { spec }]) => [name, spec]));
}

/** Returns the specification of the property at a path, or undefined if there is none. */
export function specAt(shape: ShapeSpec, path: PropertyPath): PropertySpec | undefined {
  return specsAlong(shape, path)[path.length - 1];
}

/** Returns the specification of each property on a path, outermost first. Ends at the first property without one. */
export function specsAlong(shape: ShapeSpec, path: PropertyPath): readonly PropertySpec[] {
  const found: PropertySpec[] = [];
  let spec: PropertySpec | undefined = shape[String(path[0])];
  for (const segment of [...path.slice(1), undefined]) {
    if (spec === undefined) break;
    found.push(spec);
    if (segment === undefined) break;
    const { type }: PropertySpec = spec;
    if (type.kind === 'array') spec = type.items;
    else if (type.kind === 'map') spec = type.values;
    else if (type.kind === 'object') spec = type.properties[String(segment)];
    else spec = undefined;
  }
  return found;
}

/** Describes the properties of resources, functions and provider configuration. They are required by default. */
export const s = {
  string: (limits: StringLimits = {}) => property<string>({ kind: 'string', ...limits }),
  /** Describes a property with a fixed list of texts. */
  oneOf: <const T extends string>(...values: readonly T[]) => property<T>({ kind: 'string', oneOf: values }),
  integer: (limits: NumberLimits = {}) => property<number>({ kind: 'integer', ...limits }),
  number: (limits: NumberLimits = {}) => property<number>({ kind: 'number', ...limits }),
  boolean: () => property<boolean>({ kind: 'boolean' }),
  /** Describes a property with any value. */
  any: () => property<unknown>({ kind: 'any' }),
  array: <T>(items: Property<T, Presence>, limits: ListLimits = {}) =>
    property<readonly T[]>({ kind: 'array', items: items.spec, ...limits }),
  /** Describes a list whose order and repetitions have no meaning: lists with the same items are equal. */
  set: <T>(items: Property<T, Presence>, limits: ListLimits = {}) =>
    property<readonly T[]>({ kind: 'array', items: items.spec, unordered: true, ...limits }),
  /** Describes values of one type by free keys. */
  map: <T>(values: Property<T, Presence>) =>
    property<Readonly<Record<string, T>>>({ kind: 'map', values: values.spec }),
  object: <S extends Shape>(shape: S) =>
    property<ValuesOf<S>>({ kind: 'object', properties: shapeSpec(shape) }),
};
