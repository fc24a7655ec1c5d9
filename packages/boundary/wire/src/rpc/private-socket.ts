import { chmodSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A socket file's address, and how to remove the file. */
interface PrivateSocket {
  /** `unix:<path>`; the path is short, because systems allow about a hundred bytes. */
  readonly address: string;
  /** Removes the file and its folder if they are there. Never throws. */
  remove(): Promise<void>;
}

const PREFIX = 'cairn-socket-';
const FILE = 'engine';
/** What macOS allows, with its closing zero; Linux allows four more. */
const PATH_BYTES = 104;

/**
 * Address of a socket in a folder of its own that only our user may enter (mode 0700). `undefined` on Windows and where
 * no temporary folder can be made: servers listen on a port instead. Folders that killed processes left behind are
 * removed a minute later.
 */
export function privateSocket(
  platform: NodeJS.Platform = process.platform,
  bases: readonly string[] = [tmpdir(), '/tmp'],
): PrivateSocket | undefined {
  if (platform === 'win32') return undefined;
  let directory: string | undefined;
  for (const base of bases.filter(fits)) directory ??= makeFolder(base);
  if (directory === undefined) return undefined;
  void removeDeadSockets(dirname(directory));
  return {
    address: `unix:${join(directory, FILE)}`,
    remove: () => rm(directory, { recursive: true, force: true }).catch(() => {}),
  };
}

function makeFolder(base: string): string | undefined {
  try {
    const directory = mkdtempSync(join(base, PREFIX));
    chmodSync(directory, 0o700);
    return directory;
  } catch {
    return undefined;
  }
}

const fits = (base: string): boolean => Buffer.byteLength(join(base, `${PREFIX}XXXXXX`, FILE)) < PATH_BYTES;

/** A server's file is there a moment before it listens, and so refuses connections: younger folders are let be. */
const STARTING_MS = 60_000;

/** A socket of our user that refuses connections belongs to a process that was killed. Never rejects. */
export async function removeDeadSockets(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const directory = join(base, name);
    const found = await lstat(directory).catch(() => undefined);
    if (found === undefined || !found.isDirectory() || found.uid !== process.geteuid?.()) continue;
    if (Date.now() - found.mtimeMs < STARTING_MS) continue;
    if (await isDead(join(directory, FILE)))
      await rm(directory, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether connecting is refused. A file that is not there yet is none of a dead process. */
function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
