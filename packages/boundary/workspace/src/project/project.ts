import type { Diagnostic, SourceRange } from '@cairn/diagnostics';
import type { ConfigTree } from '../config/config-tree.js';
import type { SecretsSettings } from '../stack-file/secrets-settings.js';
import type { ProjectOperationSettings } from './operation-settings.js';
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
  /** Settings of the secrets in `config`, in a key of Cairn's own. Absent if there are none. */
  readonly secrets?: SecretsSettings | undefined;
  /** Directory of the stack files, relative to the project's directory. */
  readonly stackConfigDir: string | undefined;
  readonly backendUrl: string | undefined;
  /** With `always`, every operation refreshes first. */
  readonly refresh: 'always' | undefined;
  /** Reaction of operations to failures, and limits of provider calls. */
  readonly operations: ProjectOperationSettings;
  /**
   * Times at which a running operation writes the checkpoint, in a key of Cairn's own. If undefined, it is written from
   * time to time.
   */
  readonly checkpoint: 'paced' | 'each-step' | 'end' | undefined;
  /** Encryption of whole states, in a key of Cairn's own. If undefined, states stay as they are stored. */
  readonly stateEncryption: 'on' | 'off' | undefined;
  readonly packages: ReadonlyMap<string, ProjectPackage>;
  readonly plugins: ProjectPlugins;
  /** Semver range that the tool's version must satisfy. */
  readonly requiredPulumiVersion: string | undefined;
  /** Unknown top-level keys, kept unchanged. */
  readonly extra: ReadonlyMap<string, PlainData>;
  /** Keys that are probably misspelt. */
  readonly warnings?: readonly Diagnostic[] | undefined;
}

/** Location of a project file. `base` is its name without the extension, which stack files share. */
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

/** Type of an array's items. */
export interface ConfigItems {
  readonly type: ConfigType;
  readonly items?: ConfigItems | undefined;
}

/** One declaration of the project's `config`. `own` is true if the key is in the project's namespace. */
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

/** Source of a package. `text` is the short form `source[@version]`, if it was written that way. */
export interface ProjectPackage {
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
