/** The package that generated code belongs to. */
export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly pluginDownloadURL?: string | undefined;
  /** Plugin that serves the package when it receives `value`, in base64. */
  readonly base?: BasePlugin | undefined;
  /** True if some of its object types have defaults. A file then contains them. */
  readonly hasDefaults?: boolean | undefined;
  /** Import paths of the packages that its types refer to, by name. */
  readonly references?: Readonly<Record<string, string>> | undefined;
}

/** A plugin that serves other packages when it receives a parameter. */
export interface BasePlugin {
  readonly name: string;
  readonly version: string;
  readonly value: string;
  /** True if the plugin serves the package besides its own rather than in its place. */
  readonly extension?: boolean | undefined;
}

/** Source of a value that the program does not set. */
export interface DefaultSpec {
  readonly value?: unknown;
  /** Environment variables to read before `value`. */
  readonly env?: readonly string[] | undefined;
  /** Conversion of the text of a variable. By default, none. */
  readonly type?: 'boolean' | 'number' | undefined;
}

/** Properties of a generated resource, function or object type, as needed at run time. */
export interface ShapeDescription {
  readonly required?: readonly string[];
  readonly constants?: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, DefaultSpec>>;
  /** Object types with defaults of their own, by property. Each is a name in the package's table. */
  readonly nested?: Readonly<Record<string, NestedSpec>>;
  readonly secrets?: readonly string[];
  readonly secretOutputs?: readonly string[];
  readonly replaceOnChanges?: readonly string[];
  /** Former types. */
  readonly aliases?: readonly string[];
  readonly deprecated?: string;
  /** Properties that are sent as JSON, like provider configuration. */
  readonly json?: readonly string[];
}

/** A type with defaults, or a list or map of it. */
export type NestedSpec = { readonly type: string } | { readonly items: NestedSpec };
