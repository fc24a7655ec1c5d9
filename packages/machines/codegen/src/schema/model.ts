/** Package as its schema describes it: parsed, resolved and without parts that no generator needs. */
export interface PackageModel {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly homepage: string;
  readonly license: string;
  readonly repository: string;
  readonly pluginDownloadURL: string;
  /** Plugin that serves this package when it receives `value`. */
  readonly base: BasePluginModel | undefined;
  readonly resources: readonly ResourceModel[];
  readonly functions: readonly FunctionModel[];
  readonly objects: ReadonlyMap<string, ObjectTypeModel>;
  readonly enums: ReadonlyMap<string, EnumModel>;
  /** Configuration of the package. */
  readonly config: readonly PropertyModel[];
  readonly provider: ResourceModel;
  /** Folders by module of a token; empty for the root. */
  readonly folders: ReadonlyMap<string, string>;
  /** True if methods with one property as their result return that property. */
  readonly liftsSingleResults: boolean;
  /** Packages whose types this one refers to. */
  readonly references: readonly string[];
  /** Tokens that are left out because their code is written by hand in the packages of another tool. */
  readonly overlays: readonly string[];
}

/** Plugin that serves another package when it receives a value. */
export interface BasePluginModel {
  readonly name: string;
  readonly version: string;
  /** Base64. */
  readonly value: string;
  readonly pluginDownloadURL: string;
  readonly extension: boolean;
}

/** Documentation of a definition. */
export interface Documented {
  readonly description: string;
  /** Reason to stop using it. Empty if it is not deprecated. */
  readonly deprecated: string;
}

export interface ResourceModel extends Documented {
  readonly token: string;
  readonly isComponent: boolean;
  readonly inputs: readonly PropertyModel[];
  readonly outputs: readonly PropertyModel[];
  /** Properties that find an object besides its id. Undefined if the id is enough. */
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
  /** Names of inputs that are positional arguments. Empty for one object of arguments. */
  readonly positional: readonly string[];
  readonly result: ResultModel;
}

/** Result of a function: properties, one value of a type, or nothing. */
export type ResultModel =
  | { readonly kind: 'object'; readonly properties: readonly PropertyModel[]; readonly plain: boolean }
  | { readonly kind: 'value'; readonly type: TypeModel; readonly plain: boolean }
  | { readonly kind: 'none' };

export interface ObjectTypeModel extends Documented {
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
  /** True if every output contains it, whether or not a program must set it. */
  readonly reported: boolean;
  /** True if it is never an output: the value is needed when the program runs. */
  readonly plain: boolean;
  readonly secret: boolean;
  readonly replaceOnChange: boolean;
  readonly constant: Scalar | undefined;
  readonly standard: DefaultModel | undefined;
}

/** Default of a property that the program leaves out. */
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

/** Element of a list or map. */
export interface ItemModel {
  readonly type: TypeModel;
  readonly plain: boolean;
}

/** Property that selects the member of a union. */
export interface Discriminator {
  readonly property: string;
  /** Values of the property by token of the member. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Reference to a definition in the schema of another package. */
export interface ExternalReference {
  readonly package: string;
  readonly version: string;
  readonly kind: 'object' | 'resource' | 'provider';
  readonly token: string;
}
