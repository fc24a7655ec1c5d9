/** A package to be added to a project. */
export interface PackageOptions {
  /** What the plugin is told to become another package. */
  readonly parameters?: readonly string[] | undefined;
  /** Where the plugin may be downloaded from. */
  readonly server?: string | undefined;
  /** Takes what plugins and package managers write. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** A package that a project has now. */
export interface AddedPackage {
  readonly name: string;
  readonly version: string;
  /** Name that programs in TypeScript import; undefined: the plugin of the program's language wrote the package. */
  readonly npmName: string | undefined;
  /** How programs in other languages import it, for people; empty for ours. */
  readonly instructions: string;
}

/** What is installed for a project. */
export interface InstallOptions {
  /** Plugins and packages that the project file and the program name. Default: true. */
  readonly plugins?: boolean | undefined;
  /** Dependencies of the program, by its package manager. Default: true. */
  readonly dependencies?: boolean | undefined;
  /** Also what is there already. Default: false. */
  readonly reinstall?: boolean | undefined;
  /** How many plugins at once; 0: all. Default: 4. */
  readonly parallel?: number | undefined;
  /** Takes what plugins and package managers write. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** A plugin to be installed. */
export interface PluginOptions {
  /** Default: a provider. */
  readonly kind?: 'resource' | 'language' | 'analyzer' | 'converter' | 'tool' | undefined;
  /** Default: the newest. */
  readonly version?: string | undefined;
  readonly server?: string | undefined;
  readonly reinstall?: boolean | undefined;
}

/** A plugin of the cache. */
export interface InstalledPlugin {
  readonly kind: string;
  readonly name: string;
  readonly version: string | undefined;
}

/** A project to be made from a template. Nobody is asked: what the template asks for has its default or `config`. */
export interface NewProjectOptions {
  /** A directory, a git address, `npm:PACKAGE`, or the name of a template. */
  readonly template: string;
  /** Where the project is made; it has to be empty unless `force` is said. */
  readonly directory: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Options of the runtime, by name. */
  readonly runtimeOptions?: Readonly<Record<string, string>> | undefined;
  /** Files of the template are written over those that are there. Default: false. */
  readonly force?: boolean | undefined;
  /** Installs what the project needs. Default: true. */
  readonly install?: boolean | undefined;
  /** Takes what plugins and package managers write. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}
