import { chmodSync, mkdtempSync } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Address of a socket file, and its removal. */
interface PrivateSocket {
  /** `unix:<path>`; the path is short, because systems allow about a hundred bytes. */
  readonly address: string;
  /** Removes the file and its folder if they exist. Never throws. */
  remove(): Promise<void>;
}

const PREFIX = 'cairn-socket-';
const FILE = 'engine';
/** Limit of macOS, including the closing zero. Linux allows four more. */
const PATH_BYTES = 104;

/**
 * Creates a folder for a socket that only the current user may enter (mode 0700), and returns the socket's address.
 * `undefined` on Windows and where no temporary folder can be created: servers listen on a port instead. Folders of
 * killed processes are removed after they are a minute old.
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

/**
 * A server's file exists for a moment before the server listens, and refuses connections then. Younger folders are
 * kept.
 */
const STARTING_MS = 60_000;

/** Removes sockets of killed processes: those of the current user that refuse connections. Never rejects. */
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

/** Resolves to true if the connection is refused. A file that does not exist yet does not belong to a dead process. */
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
