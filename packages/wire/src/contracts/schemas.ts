import type { PackageParameters } from './monitor.js';

/** Tells programs and plugins what packages look like; served next to the monitor (engine-behaviours-2.md A20.2). */
export interface SchemaLoader {
  /** Package schema as JSON text. Refuses with NOT_FOUND when there is no plugin for the package. */
  getSchema(request: SchemaRequest): Promise<string>;
}

/** Which package's schema. Empty texts: not said. With `parameterization`, name and version are those of the base plugin. */
export interface SchemaRequest {
  readonly package: string;
  readonly version: string;
  readonly downloadUrl: string;
  readonly parameterization: PackageParameters | undefined;
}

/** Tells how names of another ecosystem map to packages; served next to the monitor (A20.2). */
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
