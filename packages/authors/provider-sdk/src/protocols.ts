/** Types for packages that serve definitions of providers over another protocol. */
export type { AnyResourceDefinition, StateMigration } from './definition.js';
export type { AnyFunction, ProviderDefinition } from './package-definition.js';
export { toPluginProvider } from './provider/defined-provider.js';
export { checkShape } from './schema/check.js';
export { markSecrets } from './schema/secrets.js';
export { shapeSpec, specAt, specsAlong } from './schema/property.js';
export type { PropertySpec, ShapeSpec, TypeSpec } from './schema/property.js';
