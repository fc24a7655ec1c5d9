import type { Urn } from '@cairn/addresses';

/** Requested plugin, and the resource that needs it. */
export interface PluginSpec {
  /** Package name, e.g. `aws`. */
  readonly package: string;
  /** Semantic version, with or without a leading `v`. Undefined for the newest available. */
  readonly version: string | undefined;
  readonly downloadUrl: string | undefined;
  /** `os-arch` to hex SHA-256. Only for an installer: an installed plugin is not hashed again. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Turns the base plugin into the package. */
  readonly parameterization: PluginParameterization | undefined;
  /** Variables that the provider resource maps: name in our environment to name in the plugin's. */
  readonly envVarMappings: Readonly<Record<string, string>>;
  /** Resource that needs it, for error messages. */
  readonly neededBy: Urn | undefined;
  /** True if it only answers requests about the package and is closed then. It waits for no debugger. */
  readonly forQuestions?: boolean | undefined;
}

/** Parameters of a parameterized package. `version` of the spec is then the base plugin's. */
interface PluginParameterization {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
  /** Name of the plugin that is run. */
  readonly basePlugin: string;
}
