import { createHash } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from './failure.js';

/**
 * Writes content to a path atomically: readers see the old file or the new one, never a part. Missing parent
 * directories are created. A failure leaves no file behind; a killed process leaves the draft, which
 * {@link removeDraft} finds.
 */
export async function replaceFile(file: string, content: Uint8Array, mode: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const before = writing.get(file);
  const written = (before ?? Promise.resolve()).then(() => write(file, content, mode, TRIES));
  const settled = written.catch(() => undefined);
  writing.set(file, settled);
  await written.finally(() => {
    if (writing.get(file) === settled) writing.delete(file);
  });
}

/** Removes the draft that a killed process may have left of a file. */
export async function removeDraft(file: string): Promise<void> {
  if (!writing.has(file)) await rm(draftOf(file), { force: true });
}

/** Files that this process writes, each with the end of the last write: there is only one draft of a file at a time. */
const writing = new Map<string, Promise<void>>();

/** Number of tries, because another process may remove the draft as an abandoned one. */
const TRIES = 3;

/**
 * Returns the path of the draft, which is renamed to the file. It follows from the file's path alone, and is no longer
 * than names may be.
 */
function draftOf(file: string): string {
  const name = createHash('sha256').update(path.basename(file)).digest('hex').slice(0, 16);
  return path.join(path.dirname(file), `.cairn-${name}.tmp`);
}

async function write(file: string, content: Uint8Array, mode: number, tries: number): Promise<void> {
  const draft = draftOf(file);
  await rm(draft, { force: true });
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
    if (tries > 1 && errorCode(error) === 'ENOENT') return write(file, content, mode, tries - 1);
    throw error;
  }
}
