/** Options for adding a package to a project. */
export interface PackageOptions {
  /** Parameters that turn the plugin into another package. */
  readonly parameters?: readonly string[] | undefined;
  /** Server from which the plugin may be downloaded. */
  readonly server?: string | undefined;
  /** Receives the output of plugins and package managers. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** A package that was added to a project. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  /** Name that TypeScript programs import. Undefined if the plugin of the program's language wrote the package. */
  readonly npmName: string | undefined;
  /** Import instructions for programs in other languages, for people. Empty for TypeScript and JavaScript. */
  readonly instructions: string;
}

/** Options for installing a project's needs. */
export interface InstallOptions {
  /** Installs the plugins and packages that the project file and the program name. Defaults to true. */
  readonly plugins?: boolean | undefined;
  /** Installs the dependencies of the program with its package manager. Defaults to true. */
  readonly dependencies?: boolean | undefined;
  /** Reinstalls existing ones as well. Defaults to false. */
  readonly reinstall?: boolean | undefined;
  /** Number of plugins installed at once, or 0 for all. Defaults to 4. */
  readonly parallel?: number | undefined;
  /** Receives the output of plugins and package managers. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** Options for installing a plugin. */
export interface PluginOptions {
  /** Defaults to `resource`, a provider. */
  readonly kind?: 'resource' | 'language' | 'analyzer' | 'converter' | 'tool' | undefined;
  /** Defaults to the newest version. */
  readonly version?: string | undefined;
  readonly server?: string | undefined;
  readonly reinstall?: boolean | undefined;
}

/** A plugin in the cache. */
export interface InstalledPlugin {
  readonly kind: string;
  readonly name: string;
  readonly version: string | undefined;
}

/**
 * Options for a project made from a template. There are no prompts: values that the template asks for come from
 * `config` or their defaults.
 */
export interface NewProjectOptions {
  /** A directory, a git address, `npm:PACKAGE`, or the name of a template. */
  readonly template: string;
  /** Directory of the new project. It must be empty unless `force` is set. */
  readonly directory: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Options of the runtime, by name. */
  readonly runtimeOptions?: Readonly<Record<string, string>> | undefined;
  /** Overwrites existing files with those of the template. Defaults to false. */
  readonly force?: boolean | undefined;
  /** Installs the project's needs. Defaults to true. */
  readonly install?: boolean | undefined;
  /** Receives the output of plugins and package managers. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}
