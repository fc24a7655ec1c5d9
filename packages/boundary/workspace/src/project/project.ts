import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import type { ConfigTree } from '../config/config-tree.js';
import type { SecretsSettings } from '../stack-file/secrets-settings.js';
import type { OperationSettings } from './operation-settings.js';
import type { PlainData } from '../yaml/shape.js';

/** A project file as read: every key of the format in its type [CFG-2]. Absent and null keys are undefined. */
export interface Project {
  readonly location: ProjectLocation;
  readonly name: string;
  readonly runtime: ProjectRuntime | undefined;
  /** Program directory or file, relative to the project's directory. */
  readonly main: string | undefined;
  readonly description: string | undefined;
  readonly author: string | undefined;
  readonly website: string | undefined;
  readonly license: string | undefined;
  /** Declarations by full key, in the file's order. */
  readonly config: ReadonlyMap<string, ConfigDeclaration>;
  /** How secrets of `config` are sealed, in a key of our own; absent: there are none. */
  readonly secrets?: SecretsSettings | undefined;
  /** Where stack files are, relative to the project's directory. */
  readonly stackConfigDir: string | undefined;
  readonly backendUrl: string | undefined;
  /** `always`: refresh before every operation. */
  readonly refresh: 'always' | undefined;
  /** What operations do when something fails, and how many calls of providers there may be. */
  readonly operations: OperationSettings;
  /** When the checkpoint is written while an operation runs, in a key of our own; undefined: now and then. */
  readonly checkpoint: 'paced' | 'each-step' | 'end' | undefined;
  /** Whether states are sealed whole, in a key of our own; undefined: they stay as they lie. */
  readonly stateEncryption: 'on' | 'off' | undefined;
  readonly packages: ReadonlyMap<string, PackageSource>;
  readonly plugins: ProjectPlugins;
  /** A semver range that the tool's version must satisfy. */
  readonly requiredPulumiVersion: string | undefined;
  /** Top-level keys that nobody knows, kept as they are. */
  readonly extra: ReadonlyMap<string, PlainData>;
  /** Keys that are probably misspelt. */
  readonly warnings?: readonly Diagnostic[] | undefined;
}

/** Where a project file is. `base`: its name without the extension, which stack files share. */
export interface ProjectLocation {
  readonly file: string;
  readonly directory: string;
  readonly base: 'Cairn' | 'Pulumi';
  readonly extension: 'yaml' | 'yml' | 'json';
}

/** The language host and its options. */
export interface ProjectRuntime {
  readonly name: string;
  readonly options: { readonly [key: string]: PlainData };
}

export type ConfigType = 'string' | 'integer' | 'boolean' | 'array' | 'object';

/** What the items of an array are. */
export interface ConfigItems {
  readonly type: ConfigType;
  readonly items?: ConfigItems | undefined;
}

/** One declaration of the project's `config`. `own`: the key is in the project's namespace. */
export interface ConfigDeclaration {
  readonly key: string;
  readonly own: boolean;
  readonly type: ConfigType | undefined;
  readonly items: ConfigItems | undefined;
  readonly description: string | undefined;
  readonly secret: boolean;
  readonly default: ConfigTree | undefined;
  readonly value: ConfigTree | undefined;
  readonly source: SourceRange;
}

/** `text`: the short form `source[@version]` as it was written, when it was. */
export interface PackageSource {
  readonly text: string | undefined;
  readonly source: string;
  readonly version: string | undefined;
  readonly parameters: readonly string[];
  readonly checksums: ReadonlyMap<string, string>;
  readonly pluginDownloadUrl: string | undefined;
  readonly extensions: readonly PlainData[];
}

export interface PluginOption {
  readonly name: string;
  readonly path: string;
  readonly version: string | undefined;
}

export interface ProjectPlugins {
  readonly providers: readonly PluginOption[];
  readonly languages: readonly PluginOption[];
  readonly analyzers: readonly PluginOption[];
}
