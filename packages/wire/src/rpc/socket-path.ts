import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A socket file's address, and how to remove the file. */
export interface TemporarySocket {
  /** `unix:<path>`; the path is short, because systems allow about a hundred bytes. */
  readonly address: string;
  /** Removes the file if it is there. Never throws. */
  remove(): Promise<void>;
}

/** Address of a socket between our own processes. `undefined` on Windows, where servers listen on a port instead. */
export function temporarySocket(platform: NodeJS.Platform = process.platform): TemporarySocket | undefined {
  if (platform === 'win32') return undefined;
  const path = join(tmpdir(), `cairn-${randomBytes(6).toString('hex')}.sock`);
  return { address: `unix:${path}`, remove: () => rm(path, { force: true }).catch(() => {}) };
}
