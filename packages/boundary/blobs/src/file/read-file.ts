import { isAbsent } from '@cairn/files';
import type { Disk } from '@cairn/files';
import type { Blob, BlobEnds, BlobVersion } from '../blob-store.js';
import { VersionHash, versionOf } from '../blob-version.js';

/** Number of bytes of a file that are read at a time to compute its version. */
const BLOCK = 1 << 18;

/** Reads a file. Undefined if there is no file at `path`, as in all functions here. */
export function readBlob(disk: Disk, path: string): Promise<Blob | undefined> {
  return opened(disk, path, async (handle, { mtimeMs }) => {
    const bytes = await handle.readFile();
    return { bytes, version: versionOf(bytes), modified: mtimeMs };
  });
}

export function readFrom(disk: Disk, path: string, offset: number): Promise<Uint8Array | undefined> {
  return opened(disk, path, (handle, { size }) => readPart(handle, offset, Math.max(0, size - offset)));
}

/** Reads the first and the last `most` bytes of a file. */
export function readEnds(disk: Disk, path: string, most: number): Promise<BlobEnds | undefined> {
  return opened(disk, path, async (handle, { size }) => {
    const length = Math.min(most, size);
    const start = await readPart(handle, 0, length);
    return { start, end: size === length ? start : await readPart(handle, size - length, length), size };
  });
}

async function readPart(handle: DiskFile, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

type DiskFile = Awaited<ReturnType<Disk['open']>>;

/** Returns the version of the file's content without keeping the content in memory. */
export function versionAt(disk: Disk, path: string): Promise<BlobVersion | undefined> {
  return opened(disk, path, async (handle) => {
    const hash = new VersionHash();
    const block = Buffer.allocUnsafe(BLOCK);
    for (;;) {
      const { bytesRead } = await handle.read(block, 0, BLOCK, null);
      if (bytesRead === 0) return hash.version();
      hash.add(block.subarray(0, bytesRead));
    }
  });
}

export async function isFile(disk: Disk, path: string): Promise<boolean> {
  try {
    return (await disk.stat(path)).isFile();
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

async function opened<T>(
  disk: Disk,
  path: string,
  use: (handle: DiskFile, stat: { readonly size: number; readonly mtimeMs: number }) => Promise<T>,
): Promise<T | undefined> {
  let handle;
  try {
    handle = await disk.open(path, 'r');
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
  try {
    const stat = await handle.stat();
    return stat.isDirectory() ? undefined : await use(handle, stat);
  } finally {
    await handle.close();
  }
}
