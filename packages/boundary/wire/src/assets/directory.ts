import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { AssetError, fileReason } from './asset-error.js';

/** File in a directory: its name below the directory with `/` separators, and its absolute path. */
interface DirectoryFile {
  readonly name: string;
  readonly path: string;
}

/**
 * Lists files below a directory in the order of an archive's members [VAL-6]. Each level is sorted by the bytes of its
 * names; the files of a subdirectory take the place of its name. Skips `.pulumi` and symbolic links to directories.
 */
export async function* archiveFiles(directory: string, under = ''): AsyncGenerator<DirectoryFile> {
  const entries = await reading(directory, () => readdir(directory, { withFileTypes: true }));
  entries.sort((a, b) => compareBytes(a.name, b.name));
  for (const entry of entries) {
    if (entry.name === '.pulumi') continue;
    const file = { name: under + entry.name, path: path.join(directory, entry.name) };
    if (entry.isDirectory()) yield* archiveFiles(file.path, `${file.name}/`);
    else if (!entry.isSymbolicLink() || !(await leadsToDirectory(file.path))) yield file;
  }
}

/** Compares names by their UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Checks if the path is a directory. Throws {@link AssetError} if nothing exists there. */
export async function isDirectory(place: string, label: string): Promise<boolean> {
  try {
    return (await stat(place)).isDirectory();
  } catch (error) {
    throw new AssetError(label, fileReason(error));
  }
}

function leadsToDirectory(link: string): Promise<boolean> {
  return isDirectory(link, `file "${link}"`);
}

async function reading<T>(directory: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new AssetError(`directory "${directory}"`, fileReason(error));
  }
}
