/** Runtime of generated packages. Programs import the packages and never this module. */
export { openPackage } from './generated-package.js';
export type { ClassTable, GeneratedPackage, Members } from './generated-package.js';
export type { DefaultSpec, PackageInfo, ShapeDescription } from './shape.js';
