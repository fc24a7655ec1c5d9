/** Loads code from packs, which `tools/packs.mjs` builds. */
export { chunkLoader } from './chunks.js';
export type { Chunk, ModulePack } from './chunks.js';
export { openCodeCache } from './code-cache.js';
export { scriptLoader } from './scripts.js';
export type { ScriptLoader } from './scripts.js';
