import { isAbsent, realDisk } from './disk.js';
import { attempt } from './text-file.js';

/**
 * Writes bytes at an offset of a file, in place of everything behind it. They are durable when the promise resolves.
 * Returns false, and writes nothing, if there is no file or it does not reach the offset.
 */
export function continueFile(path: string, bytes: Uint8Array, at: number): Promise<boolean> {
  return attempt('write', path, async () => {
    const file = await realDisk.open(path, 'r+').catch((thrown: unknown) => {
      if (isAbsent(thrown)) return undefined;
      throw thrown;
    });
    if (file === undefined) return false;
    try {
      const { size } = await file.stat();
      if (size < at) return false;
      if (size > at) await file.truncate(at);
      for (let from = 0; from < bytes.length;)
        from += (await file.write(bytes, from, bytes.length - from, at + from)).bytesWritten;
      await file.datasync();
      return true;
    } finally {
      await file.close();
    }
  });
}
