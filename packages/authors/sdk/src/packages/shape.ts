/** The package that generated code belongs to. */
export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly pluginDownloadURL?: string | undefined;
  /** The plugin that serves the package when it is told `value`, in base64. */
  readonly base?: BasePlugin | undefined;
  /** Some of its object types have defaults: there is a file with them. */
  readonly hasDefaults?: boolean | undefined;
  /** Packages that its types refer to: how programs import them, by name. */
  readonly references?: Readonly<Record<string, string>> | undefined;
}

/** A plugin that serves other packages when it is given a parameter. */
export interface BasePlugin {
  readonly name: string;
  readonly version: string;
  readonly value: string;
  /** The plugin serves the package besides its own, rather than in its place. */
  readonly extension?: boolean | undefined;
}

/** Where a value comes from that the program does not give. */
export interface DefaultSpec {
  readonly value?: unknown;
  /** Variables of the environment, looked at before `value`. */
  readonly env?: readonly string[] | undefined;
  /** How the text of a variable is read. Default: as it is. */
  readonly type?: 'boolean' | 'number' | undefined;
}

/** What a generated resource, function or object type knows of its properties at run time. */
export interface ShapeSpec {
  readonly required?: readonly string[];
  readonly constants?: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, DefaultSpec>>;
  /** Object types with defaults of their own, by property: a name in the package's table. */
  readonly nested?: Readonly<Record<string, NestedSpec>>;
  readonly secrets?: readonly string[];
  readonly secretOutputs?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  /** Former types. */
  readonly aliases?: readonly string[];
  readonly deprecated?: string;
  /** Properties that are sent as JSON, as configurations of providers are. */
  readonly json?: readonly string[];
}

/** A type with defaults, or a list or map of it. */
export type NestedSpec = { readonly type: string } | { readonly items: NestedSpec };
