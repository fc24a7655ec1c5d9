import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errno, isAbsent } from '@cairn/files';

const BYTES = 32;

/**
 * Returns the key that signs the approval links of a folder, and makes it at first. Agents that take over have the same
 * one. To invalidate all links, delete the file and start the agent again.
 */
export async function approvalKey(folder: string): Promise<Uint8Array> {
  const file = path.join(folder, 'approval-key');
  const known = await readFile(file).catch((thrown: unknown) => {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  });
  if (known?.length === BYTES) return known;
  if (known !== undefined) await rm(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(BYTES), { mode: 0o600, flush: true });
    // Of two agents that start at once, one makes the key.
    await link(draft, file).catch((thrown: unknown) => {
      if (errno(thrown) !== 'EEXIST') throw thrown;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(file);
}
