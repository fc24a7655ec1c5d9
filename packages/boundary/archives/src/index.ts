export { saveDownload } from './save-download.js';
export { unpackArchive } from './unpack-archive.js';
export type { UnpackOptions } from './unpack-archive.js';
