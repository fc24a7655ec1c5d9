import type { Urn } from '@cairn/addresses';
import type { LanguageHost } from '@cairn/wire';
import type { CallWatch } from '@cairn/wire/caller';

/** What a plugin host works with. Everything about the project, the stack and the machine is handed in. */
export interface PluginHostOptions {
  /** Directory of the project file: base of the paths in it. */
  readonly rootDirectory: string;
  /** Directory of the program: working directory of plugins, first place where provider packages are looked for. */
  readonly programDirectory: string;
  /** Project name. */
  readonly project: string;
  /**
   * `unix:<path>` or `127.0.0.1:<port>` of the engine service. A function when it is only known after the host exists.
   */
  readonly engineAddress: string | (() => string);
  /** Where schemas, mappings and plugins of packages are told, for plugins that ask for them; empty texts: nowhere. */
  readonly schemaAddresses?: (() => Omit<PeerAddresses, 'engine'>) | undefined;
  /**
   * The same addresses with a port, for executables and providers that run already, which may know no socket files;
   * asked once one of them is needed. Default: the addresses above.
   */
  readonly portAddresses?: (() => PeerAddresses) | undefined;
  /** Stack configuration, `namespace:name` to decrypted text. */
  readonly config: Readonly<Record<string, string>>;
  /** `runtime.options` of the project file. */
  readonly runtimeOptions: Readonly<Record<string, unknown>>;
  /** `plugins.providers` of the project file. */
  readonly projectPlugins: readonly ProjectPlugin[];
  /** `packages` of the project file: name to source (a path, or `name[@version]`), or an object with `source`. */
  readonly projectPackages: Readonly<Record<string, unknown>>;
  /** Directories from which provider packages resolve after the program's: usually the command line's own. */
  readonly packageRoots: readonly string[];
  /** Directories with plugins that come with the command line. */
  readonly bundledDirectories: readonly string[];
  /** Our environment. Settings are read from it (see README) and plugins inherit it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Languages that are built in: runtime name to host; undefined: the language is a plugin. */
  readonly languageHost: (runtime: string) => LanguageHost | undefined;
  /** Where plugins of languages are besides the PATH and the caches; absent: nowhere. */
  readonly languages?: LanguagePlaces | undefined;
  /** Loads a module of a provider package by absolute path. Default: `import()`. */
  readonly importModule?: ((path: string) => Promise<unknown>) | undefined;
  /** How plugins are looked into; absent: not at all. */
  readonly observed?: Observed | undefined;
  /** Told what plugins write and what the user should know. Must not throw. */
  readonly onMessage: (message: PluginMessage) => void;
  /** Times in milliseconds; the defaults are {@link DEFAULT_LIMITS}. */
  readonly limits?: Partial<PluginLimits> | undefined;
}

/** How somebody looks into what is said to plugins and what they do. */
export interface Observed {
  /** Hears all calls to plugins. */
  readonly calls?: CallWatch | undefined;
  /** Our own provider packages run as processes too, so that what is said to them are calls. */
  readonly asProcesses?: boolean | undefined;
  /** Words that plugins get before their own, e.g. `--logtostderr`. */
  readonly arguments?: readonly string[] | undefined;
  /** Variables that plugins get beside those of our environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Whether a plugin that a language runs waits for a debugger, by its name. */
  readonly debugs?: ((plugin: string) => boolean) | undefined;
}

/** What a peer is given: socket files where there are such, or ports because it may know nothing else. */
export type AddressKind = 'sockets' | 'ports';

/** Where a plugin finds what it may ask; empty texts: nowhere. */
export interface PeerAddresses {
  readonly engine: string;
  readonly loader: string;
  readonly mapper: string;
  readonly resolver: string;
}

/** One entry of `plugins.providers`. */
export interface ProjectPlugin {
  readonly name: string;
  readonly path: string;
  readonly version: string | undefined;
}

/** Where plugins of languages are, besides the places of all plugins. */
export interface LanguagePlaces {
  /** `plugins.languages` of the project file. */
  readonly plugins: readonly ProjectPlugin[];
  /** Directories with language plugins that come with the command line. */
  readonly directories: readonly string[];
}

/** A line from a plugin or from the host itself. `streamId` groups the lines of one stream; 0: the host. */
export interface PluginMessage {
  readonly severity: 'debug' | 'info' | 'info-to-stderr' | 'warning' | 'error';
  /** Name of the plugin. */
  readonly plugin: string;
  readonly text: string;
  readonly streamId: number;
  readonly urn: Urn | undefined;
}

/** How long is waited for what, in milliseconds. */
export interface PluginLimits {
  /** From the start of the process until it says where it listens. */
  readonly portMs: number;
  /** The same for a plugin whose source a language plugin runs, which may compile it and fetch packages first. */
  readonly sourcePortMs: number;
  /** For a language plugin's answer to a question about a program; it may start a compiler or a package manager. */
  readonly answerMs: number;
  /** From then until the first call is answered. */
  readonly readyMs: number;
  /** Between two tries to reach a plugin that does not answer yet. */
  readonly retryMs: number;
  /** For all answers to a cancel. */
  readonly cancelMs: number;
  /** For all answers to the cancel that goes before a close. */
  readonly closeCancelMs: number;
  /** Between interrupt and kill. */
  readonly interruptGraceMs: number;
  /** Between a failed call and the news that the process has ended. */
  readonly exitNewsMs: number;
}

/** The limits of a plugin that waits for a debugger before it says where it listens. */
export function withoutLimit(limits: PluginLimits): PluginLimits {
  return { ...limits, portMs: 2 ** 31 - 1 };
}

/** What [PLUG-4] and [PLUG-9] leave open. */
export const DEFAULT_LIMITS: PluginLimits = {
  portMs: 30_000,
  sourcePortMs: 600_000,
  answerMs: 600_000,
  readyMs: 10_000,
  retryMs: 10,
  cancelMs: 30_000,
  closeCancelMs: 5_000,
  interruptGraceMs: 5_000,
  exitNewsMs: 500,
};
