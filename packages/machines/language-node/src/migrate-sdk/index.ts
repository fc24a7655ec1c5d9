/** Migration of sources on `@pulumi/pulumi` to `@cairn/sdk`. */
export { unifiedDiff } from './edits.js';
export { migrateManifest } from './manifest.js';
export { migrateSource } from './migrate-source.js';
export type { MigratedSource } from './migrate-source.js';
export { programFiles } from './program-files.js';
