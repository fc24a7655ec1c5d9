import type { PackageModel } from '../schema/model.js';

/** Options of generating a package besides its schema. */
export interface GenerateOptions {
  /** Version of `@cairn/sdk` that the package is for. */
  readonly sdkVersion: string;
  /** Models of packages that the schema refers to, by name. References to a missing one become any value. */
  readonly references?: ReadonlyMap<string, PackageModel> | undefined;
}

/** Returns the name of the npm package that is generated for a package. */
export function npmNameOf(name: string): string {
  return `@cairn-sdks/${name.toLowerCase()}`;
}
