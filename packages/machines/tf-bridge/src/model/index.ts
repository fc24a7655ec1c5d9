export type { ProviderFunctionModel } from './function-model.js';
export { noMapping, readMapping } from './mapping.js';
export { bridgedPackageSchema } from './package-schema.js';
export { providerModel } from './provider-model.js';
export { STATE_PROPERTY } from './state-property.js';
export type { ObjectModel, ProviderModel } from './provider-model.js';
export type { ObjectShape } from './shape.js';
