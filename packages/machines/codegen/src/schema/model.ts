/** A package as its schema describes it: read, resolved and without what no generator needs. */
export interface PackageModel {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly repository: string;
  readonly pluginDownloadURL: string;
  /** The plugin that serves this package when it is given `value`. */
  readonly base: BasePluginModel | undefined;
  readonly resources: readonly ResourceModel[];
  readonly functions: readonly FunctionModel[];
  readonly objects: ReadonlyMap<string, ObjectModel>;
  readonly enums: ReadonlyMap<string, EnumModel>;
  /** Configuration of the package. */
  readonly config: readonly PropertyModel[];
  readonly provider: ResourceModel;
  /** Folder of a token's module; empty for the root. */
  readonly folders: ReadonlyMap<string, string>;
  /** Methods with one property as their result give that property. */
  readonly liftsSingleResults: boolean;
  /** Packages whose types this one refers to. */
  readonly references: readonly string[];
  /** Tokens that are left out because their code is written by hand in the packages of another tool. */
  readonly overlays: readonly string[];
}

/** A plugin that is told to serve another package. */
export interface BasePluginModel {
  readonly name: string;
  readonly version: string;
  /** In base64. */
  readonly value: string;
  readonly pluginDownloadURL: string;
  readonly extension: boolean;
}

/** Documentation of something. */
export interface Documented {
  readonly description: string;
  /** Why it should not be used any more; empty: it may be. */
  readonly deprecated: string;
}

export interface ResourceModel extends Documented {
  readonly token: string;
  readonly isComponent: boolean;
  readonly inputs: readonly PropertyModel[];
  readonly outputs: readonly PropertyModel[];
  /** What finds an object besides its id; undefined: the id is enough. */
  readonly state: readonly PropertyModel[] | undefined;
  /** Former types. */
  readonly aliases: readonly string[];
  readonly methods: readonly MethodModel[];
}

export interface MethodModel {
  readonly name: string;
  readonly function: FunctionModel;
}

export interface FunctionModel extends Documented {
  readonly token: string;
  readonly inputs: readonly PropertyModel[];
  /** Names of inputs that are arguments by position; empty: one object of arguments. */
  readonly positional: readonly string[];
  readonly result: ResultModel;
}

/** What a function gives: properties, one value of a type, or nothing. */
export type ResultModel =
  | { readonly kind: 'object'; readonly properties: readonly PropertyModel[]; readonly plain: boolean }
  | { readonly kind: 'value'; readonly type: TypeModel; readonly plain: boolean }
  | { readonly kind: 'none' };

export interface ObjectModel extends Documented {
  readonly token: string;
  readonly properties: readonly PropertyModel[];
}

export interface EnumModel extends Documented {
  readonly token: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly members: readonly EnumMember[];
}

export interface EnumMember extends Documented {
  readonly name: string;
  readonly value: Scalar;
}

export type Scalar = string | number | boolean;

export interface PropertyModel extends Documented {
  readonly name: string;
  readonly type: TypeModel;
  readonly required: boolean;
  /** Is there in every output, whether or not a program has to give it. */
  readonly reported: boolean;
  /** Is never an output: the value is needed when the program runs. */
  readonly plain: boolean;
  readonly secret: boolean;
  readonly replaceOnChange: boolean;
  readonly constant: Scalar | undefined;
  readonly standard: DefaultModel | undefined;
}

/** What a property is when the program leaves it out. */
export interface DefaultModel {
  readonly value: Scalar | undefined;
  readonly environment: readonly string[];
}

export type TypeModel =
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'string' | 'any' | 'asset' | 'archive' | 'json' }
  | { readonly kind: 'array' | 'map'; readonly items: ItemModel }
  | { readonly kind: 'object' | 'enum' | 'resource'; readonly token: string }
  | { readonly kind: 'external'; readonly reference: ExternalReference }
  | {
      readonly kind: 'union';
      readonly members: readonly TypeModel[];
      readonly discriminator: Discriminator | undefined;
    };

/** What lists and maps hold. */
export interface ItemModel {
  readonly type: TypeModel;
  readonly plain: boolean;
}

/** Which member of a union a value is. */
export interface Discriminator {
  readonly property: string;
  /** Values of the property by token of the member. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Something that the schema of another package describes. */
export interface ExternalReference {
  readonly package: string;
  readonly version: string;
  readonly kind: 'object' | 'resource' | 'provider';
  readonly token: string;
}
