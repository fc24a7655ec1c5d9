import type { DerivedPackage } from './monitor.js';

/** Gives schemas of packages to programs and plugins; served next to the monitor. */
// [PKG-4]
export interface SchemaLoader {
  /** Returns the package schema as JSON text. Refuses with NOT_FOUND if there is no plugin for the package. */
  getSchema(request: SchemaRequest): Promise<string>;
}

/**
 * Package whose schema is requested. Empty texts mean not set. With `parameterization`, name and version are those of
 * the base plugin.
 */
export interface SchemaRequest {
  readonly package: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly parameterization: DerivedPackage | undefined;
}

/** Maps names of another ecosystem to packages; served next to the monitor. */
// [PKG-4]
export interface Mapper {
  /** Returns the mapping as its provider wrote it; empty if there is none. */
  getMapping(request: MappingRequest): Promise<Uint8Array>;
}

export interface MappingRequest {
  /** Name of the provider in the other ecosystem. */
  readonly provider: string;
  /** Plugin that knows the mapping; empty for the plugin of the same name. */
  readonly pulumiProvider: string;
  /** Parameters that turn that plugin into the package that knows the mapping. */
  readonly parameterization: DerivedPackage | undefined;
  /** Defaults to `terraform` when empty. */
  readonly ecosystem: string;
}

/** Finds the plugin of a package and the parameters that turn the plugin into it; served next to the monitor. */
export interface PackageResolver {
  /** Refuses with NOT_FOUND if there is no plugin for it. */
  resolvePackage(request: PackageQuestion): Promise<ResolvedPackage>;
}

/** Package as a user names it. */
export interface PackageQuestion {
  /** Name of the plugin. */
  readonly source: string;
  /** Empty if not set. */
  readonly version: string;
  /** Arguments that turn the plugin into the package. */
  readonly parameters: readonly string[];
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Empty if not set. */
  readonly downloadUrl: string;
}

/** Plugin of a package. Texts are empty where its schema says nothing. */
export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Parameters that turn the plugin into the package. Undefined if the package is the plugin's own. */
  readonly parameterization: DerivedPackage | undefined;
}
