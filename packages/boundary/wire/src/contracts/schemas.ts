import type { PackageParameters } from './monitor.js';

/** Tells programs and plugins what packages look like; served next to the monitor. */
// [PKG-4]
export interface SchemaLoader {
  /** Package schema as JSON text. Refuses with NOT_FOUND when there is no plugin for the package. */
  getSchema(request: SchemaRequest): Promise<string>;
}

/**
 * Which package's schema. Empty texts: not said. With `parameterization`, name and version are those of the base
 * plugin.
 */
export interface SchemaRequest {
  readonly package: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly parameterization: PackageParameters | undefined;
}

/** Tells how names of another ecosystem map to packages; served next to the monitor. */
// [PKG-4]
export interface Mapper {
  /** The mapping as its provider wrote it; empty when there is none. */
  getMapping(request: MappingRequest): Promise<Uint8Array>;
}

export interface MappingRequest {
  /** Name of the provider in the other ecosystem. */
  readonly provider: string;
  /** Plugin that knows it; empty: the one of the same name. */
  readonly pulumiProvider: string;
  /** What makes that plugin the package that knows it. */
  readonly parameterization: PackageParameters | undefined;
  /** Empty: `terraform`. */
  readonly ecosystem: string;
}

/** Tells which plugin a package comes from, and what makes the plugin that package; served next to the monitor. */
export interface PackageResolver {
  /** Refuses with NOT_FOUND when there is no plugin for it. */
  resolvePackage(request: PackageQuestion): Promise<ResolvedPackage>;
}

/** A package as a user names it. */
export interface PackageQuestion {
  /** Name of the plugin. */
  readonly source: string;
  /** Empty: not said. */
  readonly version: string;
  /** Arguments that make the plugin the package. */
  readonly parameters: readonly string[];
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** Empty: not said. */
  readonly downloadUrl: string;
}

/** The plugin of a package; texts are empty where its schema says nothing. */
export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly checksums: Readonly<Record<string, Uint8Array>>;
  /** What makes the plugin the package; undefined when it is its own. */
  readonly parameterization: PackageParameters | undefined;
}
