/** Files that are written whole or not at all, and changed by one process at a time. */
export { copyAtomically, ensureDirectory, writeAtomically } from './atomic-write.js';
export type { Placing } from './atomic-write.js';
export { errno, isAbsent, realDisk, syncDirectory, unlinkIfThere } from './disk.js';
export type { DirectoryRow, Disk, DiskFile } from './disk.js';
export { FileLocks, defaultFileLockOptions } from './file-locks.js';
export type { FileLockOptions } from './file-locks.js';
export { removeIfOld } from './leftovers.js';
export { editTextFile, readTextFile, writeTextFile } from './text-file.js';
