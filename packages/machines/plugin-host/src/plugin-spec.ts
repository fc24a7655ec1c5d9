import type { Urn } from '@cairn/addresses';

/** Which plugin is wanted, and for whom. The engine's port `ProviderLoader` has the same shape. */
export interface PluginSpec {
  /** Package name, e.g. `aws`. */
  readonly package: string;
  /** Semantic version, with or without a leading `v`; undefined: the newest there is. */
  readonly version: string | undefined;
  readonly downloadUrl: string | undefined;
  /** `os-arch` to hex SHA-256. Of use to an installer only: what is installed is not hashed again. */
  readonly checksums: Readonly<Record<string, string>>;
  /** Turns the base plugin into the package. */
  readonly parameterization: Parameterization | undefined;
  /** Variables the provider resource maps: name in our environment to name in the plugin's. */
  readonly envVarMappings: Readonly<Record<string, string>>;
  /** The resource that needs it, for error messages. */
  readonly neededBy: Urn | undefined;
  /** It is only asked about the package, and closed then: no debugger is waited for. */
  readonly forQuestions?: boolean | undefined;
}

/** What a parameterized package is made from. `version` of the spec is then the base plugin's. */
interface Parameterization {
  readonly name: string;
  readonly version: string;
  readonly value: Uint8Array;
  /** Name of the plugin that is run. */
  readonly basePlugin: string;
}

/** Name of the plugin a spec asks for. */
export function pluginName(spec: PluginSpec): string {
  return spec.parameterization?.basePlugin ?? spec.package;
}
