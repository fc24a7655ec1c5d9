import type { PackageModel } from '../schema/model.js';

/** What a package is generated with besides its schema. */
export interface GenerateOptions {
  /** The version of `@cairn/sdk` that the package is for. */
  readonly sdkVersion: string;
  /** Models of packages that the schema refers to, by name; what is not there is any value. */
  readonly references?: ReadonlyMap<string, PackageModel> | undefined;
}

/** Name of the npm package that is generated for a package. */
export function npmNameOf(name: string): string {
  return `@cairn-sdks/${name.toLowerCase()}`;
}
