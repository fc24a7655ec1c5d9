import type { Input } from '@cairn/sdk';
import type { PropertyPath } from '@cairn/values';

/** What texts a string property takes. */
export interface StringLimits {
  readonly oneOf?: readonly string[] | undefined;
  /** Name of the enum that `oneOf` is in schemas. Absent: it is named after where it is used. */
  readonly name?: string | undefined;
  /** Names of the members of that enum, in the order of `oneOf`. Absent: they are called like their texts. */
  readonly memberNames?: readonly string[] | undefined;
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
  /** A file or other content; `asset` takes archives too. */
  | { readonly kind: 'asset' | 'archive' }
  /** A reference to a resource of that type of the package, such as `index:Site`, or of any. */
  | { readonly kind: 'resource'; readonly token?: string | undefined }
  | ({ readonly kind: 'array'; readonly items: PropertySpec; readonly unordered?: boolean } & ListLimits)
  | { readonly kind: 'map'; readonly values: PropertySpec }
  /** `name`: of its type in schemas. Absent: it is named after where it is used. */
  | { readonly kind: 'object'; readonly properties: ShapeSpec; readonly name?: string | undefined };

/** How a name is made for an object when the program gives none. */
export interface NamingRules {
  /** Between the resource's name and the random part. Default: a hyphen. */
  readonly separator?: string | undefined;
  /** Random hexadecimal digits at the end. Default: 7. */
  readonly digits?: number | undefined;
}

/**
 * Whether a program has to give the property, may give it, gets a default, or leaves it to the provider, which reports
 * what it chose.
 */
export type Presence = 'required' | 'optional' | 'defaulted' | 'computed';

/** Everything said about one property, as data. */
export interface PropertySpec {
  readonly type: TypeSpec;
  readonly presence: Presence;
  /** Defined when `presence` is `defaulted`. */
  readonly defaultValue: unknown;
  readonly secret: boolean;
  readonly replaceOnChange: boolean;
  /** A change is refused. */
  readonly immutable: boolean;
  /** How a name is made when the program gives none; undefined: none is made. */
  readonly naming: NamingRules | undefined;
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

  /**
   * The program may leave it out: then the provider chooses, and outputs of this name tell what. What it chose is no
   * difference as long as the program does not ask for something else.
   */
  computed(): Property<T, 'computed'> {
    return new Property({ ...this.spec, presence: 'computed' });
  }

  /**
   * When the program leaves it out, a name is made of the resource's name and a random part, or as the stack's setting
   * `autonaming` says; the object keeps it. For texts at the top level of a resource's inputs.
   */
  autoname(this: Property<string, Presence>, naming: NamingRules = {}): Property<string, 'defaulted'> {
    return new Property({ ...this.spec, presence: 'defaulted', naming });
  }

  /** Never shown or stored in the clear. */
  secret(): Property<T, P> {
    return new Property({ ...this.spec, secret: true });
  }

  /** A change asks for a new object. */
  replaceOnChange(): Property<T, P> {
    return new Property({ ...this.spec, replaceOnChange: true });
  }

  /** Can never be another one for the same object: the check refuses a change. */
  immutable(): Property<T, P> {
    return new Property({ ...this.spec, immutable: true });
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

/** The type of a described property's values. */
export type ValueOfProperty<D> = D extends Property<infer T, Presence> ? T : never;
type ValueOf<D> = ValueOfProperty<D>;
type KeysWith<S extends Shape, P extends Presence> = {
  [K in keyof S]: S[K] extends Property<infer _T, infer Q> ? (Q extends P ? K : never) : never;
}[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

/** Values of a shape as handlers see them: checked, defaults filled in. */
export type ValuesOf<S extends Shape> = Flat<
  { readonly [K in KeysWith<S, 'required' | 'defaulted'>]: ValueOf<S[K]> } & {
    readonly [K in KeysWith<S, 'optional' | 'computed'>]?: ValueOf<S[K]> | undefined;
  }
>;

/** Values of a shape as `create`, `read` and `update` report them: what the provider chooses is there. */
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
    immutable: false,
    naming: undefined,
    description: '',
  });
}

/** Specs of a shape. */
export function shapeSpec(shape: Shape): ShapeSpec {
  return Object.fromEntries(Object.entries(shape).map(([name, { spec }]) => [name, spec]));
}

/** What is said about the property at a path; undefined where nothing is. */
export function specAt(shape: ShapeSpec, path: PropertyPath): PropertySpec | undefined {
  return specsAlong(shape, path)[path.length - 1];
}

/** What is said about each property on a path, from the outermost in; ends where nothing is said. */
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
  /** A list whose order and repetitions mean nothing: lists with the same items are the same. */
  set: <T>(items: Property<T, Presence>, limits: ListLimits = {}) =>
    property<readonly T[]>({ kind: 'array', items: items.spec, unordered: true, ...limits }),
  /** Values of one type by free keys. */
  map: <T>(values: Property<T, Presence>) =>
    property<Readonly<Record<string, T>>>({ kind: 'map', values: values.spec }),
  object: <S extends Shape>(shape: S) =>
    property<ValuesOf<S>>({ kind: 'object', properties: shapeSpec(shape) }),
};
