import type { Urn } from '@cairn/addresses';
import type { KeptAnswers, LanguageHost } from '@cairn/wire';
import type { CallWatch } from '@cairn/wire/caller';

/** Options of a plugin host. The caller passes everything about the project, the stack and the machine. */
export interface PluginHostOptions {
  /** Directory of the project file, to which the paths in it are relative. */
  readonly rootDirectory: string;
  /** Directory of the program: working directory of plugins, and first place to look for provider packages. */
  readonly programDirectory: string;
  /** Project name. */
  readonly project: string;
  /**
   * `unix:<path>` or `127.0.0.1:<port>` of the engine service. A function when it is only known after the host exists.
   */
  readonly engineAddress: string | (() => string);
  /**
   * Addresses of the services for schemas, mappings and plugins of packages, for plugins that use them. An empty text
   * means that there is none.
   */
  readonly schemaAddresses?: (() => Omit<PeerAddresses, 'engine'>) | undefined;
  /**
   * The same addresses with a port, for executables and running providers, which may not know socket files. Called once
   * one of them is needed. Defaults to the addresses above.
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
  /** Returns the built-in host of a runtime, or undefined if the language is a plugin. */
  readonly languageHost: (runtime: string) => LanguageHost | undefined;
  /** Places of language plugins besides the PATH and the caches. Defaults to none. */
  readonly languages?: LanguagePlaces | undefined;
  /** Loads a module of a provider package by absolute path. Defaults to `import()`. */
  readonly importModule?: ((path: string) => Promise<unknown>) | undefined;
  /**
   * Returns the answers that providers in this process may keep for the next operation. Only those that keep some call
   * it. Without it, they keep none.
   */
  readonly keptAnswers?: (() => Promise<KeptAnswers | undefined>) | undefined;
  /** Observation of plugins. Without it, they are not observed. */
  readonly observed?: Observed | undefined;
  /** Receives output of plugins and messages for the user. Must not throw. */
  readonly onMessage: (message: PluginMessage) => void;
  /** Times in milliseconds. Defaults to {@link DEFAULT_PLUGIN_LIMITS}. */
  readonly limits?: Partial<PluginLimits> | undefined;
}

/** Means to observe requests to plugins and their actions. */
export interface Observed {
  /** Receives all calls to plugins. */
  readonly calls?: CallWatch | undefined;
  /** Run our own provider packages as processes too, so that requests to them are calls. */
  readonly asProcesses?: boolean | undefined;
  /** Arguments that plugins get before their own, e.g. `--logtostderr`. */
  readonly arguments?: readonly string[] | undefined;
  /** Variables that plugins get besides those of our environment. */
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** Returns true if a plugin that a language runs waits for a debugger, by its name. */
  readonly debugs?: ((plugin: string) => boolean) | undefined;
}

/** Kind of address that a peer receives: socket files if possible, or ports because it may know nothing else. */
export type AddressKind = 'sockets' | 'ports';

/** Addresses of the services that a plugin may call. An empty text means that there is none. */
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

/** Places of language plugins, besides the places of all plugins. */
export interface LanguagePlaces {
  /** `plugins.languages` of the project file. */
  readonly plugins: readonly ProjectPlugin[];
  /** Directories with language plugins that come with the command line. */
  readonly directories: readonly string[];
}

/** Line from a plugin or from the host itself. `streamId` groups the lines of one stream; 0 is the host. */
export interface PluginMessage {
  readonly severity: 'debug' | 'info' | 'info-to-stderr' | 'warning' | 'error';
  /** Name of the plugin. */
  readonly plugin: string;
  readonly text: string;
  readonly streamId: number;
  readonly urn: Urn | undefined;
}

/** Time limits, in milliseconds. */
export interface PluginLimits {
  /** From the start of the process until it says where it listens. */
  readonly portMs: number;
  /** The same for a plugin whose source a language plugin runs, which may compile it and fetch packages first. */
  readonly sourcePortMs: number;
  /** For a language plugin's answer to a request about a program, which may start a compiler or a package manager. */
  readonly answerMs: number;
  /** From the stated port until the first call is answered. */
  readonly readyMs: number;
  /** Between two tries to reach a plugin that does not answer yet. */
  readonly retryMs: number;
  /** For all answers to the cancel that precedes a close. */
  readonly closeCancelMs: number;
  /** Between interrupt and kill. */
  readonly interruptGraceMs: number;
  /** Between a failed call and the news that the process has ended. */
  readonly exitNewsMs: number;
}

/** Returns the limits of a plugin that waits for a debugger before it says where it listens. */
export function withoutLimit(limits: PluginLimits): PluginLimits {
  return { ...limits, portMs: 2 ** 31 - 1 };
}

/** Limits that [PLUG-4] and [PLUG-9] leave open. */
export const DEFAULT_PLUGIN_LIMITS: PluginLimits = {
  portMs: 30_000,
  sourcePortMs: 600_000,
  answerMs: 600_000,
  readyMs: 10_000,
  retryMs: 10,
  closeCancelMs: 5_000,
  interruptGraceMs: 5_000,
  exitNewsMs: 500,
};
