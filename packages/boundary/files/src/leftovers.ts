import { isAbsent, unlinkIfThere } from './disk.js';
import type { Disk } from './disk.js';

/** Age from which a file is a leftover. No write takes as long: a process that was killed left it. */
const OLD_MS = 3_600_000;

/** Removes a temporary file that was written an hour ago or earlier. */
export async function removeIfOld(disk: Disk, path: string): Promise<void> {
  try {
    const { mtimeMs } = await disk.stat(path);
    if (Date.now() - mtimeMs >= OLD_MS) await unlinkIfThere(disk, path);
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown;
  }
}
