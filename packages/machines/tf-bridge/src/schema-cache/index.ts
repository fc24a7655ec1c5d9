/** Schemas of providers, kept between processes. */
export { schemaCacheFor } from './identity.js';
export { keptSchema, loadSchema } from './load-schema.js';
export type { SchemaCache } from './stored-answers.js';
