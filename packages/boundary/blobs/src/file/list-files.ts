import { join, sep } from 'node:path';
import { isAbsent } from '@cairn/files';
import type { DirectoryRow, Disk } from '@cairn/files';
import { isReservedName } from '../blob-key.js';
import type { BlobInfo } from '../blob-store.js';

/** Number of concurrent file queries in a listing. */
const STATS_AT_ONCE = 16;

/** Lists blobs below `root` whose key begins with `prefix`, in no order. */
export async function listBlobs(disk: Disk, root: string, prefix: string): Promise<BlobInfo[]> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const keys: string[] = [];
  await collectKeys(disk, root, folder, prefix, keys);
  const rows: BlobInfo[] = [];
  for (let start = 0; start < keys.length; start += STATS_AT_ONCE) {
    const described = await Promise.all(
      keys.slice(start, start + STATS_AT_ONCE).map((key) => describe(disk, root, key)),
    );
    for (const row of described) if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** Lists a folder; `folder` ends at a `/` or is empty. Folders that vanish in the meantime count as empty. */
export function rowsIn(disk: Disk, root: string, folder: string): Promise<readonly DirectoryRow[]> {
  return ifThere(() => disk.readdir(pathOf(root, folder), { withFileTypes: true }));
}

/** Lists the names in a folder, as {@link rowsIn} does, without those that stores reserve for themselves. */
export async function folderNames(disk: Disk, root: string, folder: string): Promise<readonly string[]> {
  const names = await ifThere(() => disk.readNames(pathOf(root, folder)));
  return names.filter((name) => !isReservedName(name));
}

function pathOf(root: string, folder: string): string {
  return join(root, folder.split('/').join(sep));
}

async function ifThere<T>(list: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await list();
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw thrown;
  }
}

async function collectKeys(
  disk: Disk,
  root: string,
  folder: string,
  prefix: string,
  keys: string[],
): Promise<void> {
  for (const row of await rowsIn(disk, root, folder)) {
    const key = folder + row.name;
    if (row.isDirectory()) {
      if (`${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`))
        await collectKeys(disk, root, `${key}/`, prefix, keys);
    } else if (key.startsWith(prefix) && !isReservedName(row.name)) {
      keys.push(key);
    }
  }
}

async function describe(disk: Disk, root: string, key: string): Promise<BlobInfo | undefined> {
  try {
    const stat = await disk.stat(join(root, ...key.split('/')));
    return stat.isFile() ? { key, size: stat.size, modified: stat.mtimeMs } : undefined;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}
