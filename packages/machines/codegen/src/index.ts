/** Generates code for programs: typed packages from schemas, declarations from a state, programs from PCL. */
export { generatePackage } from './typed-package/generate.js';
export { classPaths } from './typed-package/class-paths.js';
export { npmNameOf } from './typed-package/options.js';
export { readSchema } from './schema/read-schema.js';
export type { SchemaProblem } from './schema/problem.js';
export type { PackageModel } from './schema/model.js';
export { projectFiles, readSources } from './project/project.js';
export type { PackageDeclaration } from './project/declarations.js';
export { programCode } from './program/program-code.js';
export type { SecretSettings } from './program/program-code.js';
export { resourceClasses } from './program/resource-classes.js';
export type { SdkDialect } from './program/dialect.js';
