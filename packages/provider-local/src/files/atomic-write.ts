import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Puts content under a path in one go: readers see the old file or the new one, never a part. Missing parent directories are
 * made. On failure nothing is left behind.
 */
export async function writeAtomically(file: string, content: Uint8Array, mode: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(draft, mode);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
