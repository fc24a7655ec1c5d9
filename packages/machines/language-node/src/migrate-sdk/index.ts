/** Sources on `@pulumi/pulumi`, turned into sources on `@cairn/sdk`. */
export { unifiedDiff } from './edits.js';
export { migrateManifest } from './manifest.js';
export { migrateSource } from './migrate-source.js';
export type { MigratedSource } from './migrate-source.js';
export { programFiles } from './program-files.js';
