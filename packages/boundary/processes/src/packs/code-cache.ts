import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';

/**
 * Compiled code of scripts, as V8 stores it. A script is identified by a name and by its path, which its stack traces
 * have from the stored code. Reading and writing never throw.
 */
export interface CodeCache {
  /** Returns the stored code, or `undefined` if there is none that may be used. */
  read(name: string, script: string): Buffer | undefined;
  /** Stores code for later processes. */
  write(name: string, script: string, code: Buffer): void;
}

/** Programs that load packs. Each has folders of its own, so that none deletes what another uses. */
type CodeUser = 'command' | 'program';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folders of other versions that are kept, so that versions of Node in turn do not delete each other's. */
const KEPT_FOLDERS = 4;
/** Paths of a script of one name for which code is kept: copies of a package in several projects. */
const KEPT_COPIES = 8;
const DIGEST = 'sha1';
const DIGEST_BYTES = 20;

/**
 * Opens the cache of a build, or returns `undefined` if there is no place for one. Its folder is named after
 * everything that compiled code depends on: the build, the version of Node, its processor and the flags of V8. Flags
 * that change later make it useless.
 */
export function openCodeCache(
  user: CodeUser,
  build: string,
  environment: Environment,
): CodeCache | undefined {
  if ((environment['CAIRN_NO_CODE_CACHE'] ?? '') !== '') return undefined;
  const base = baseFolder(environment);
  const tag = cachedDataVersionTag().toString(16);
  const folder = path.join(base.folder, [user, build, process.version, process.arch, tag].join('-'));
  let isOurs: boolean | undefined;
  return {
    read: (name, script) => {
      isOurs ??= isPrivate(statOf(folder));
      return isOurs ? readStored(path.join(folder, fileName(name, script))) : undefined;
    },
    write: (name, script, code) => {
      try {
        if (!isOwn(statSync(base.exists))) return;
        if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined)
          keepNewest(base.folder, `${user}-`, KEPT_FOLDERS);
        if (!isPrivate(statOf(folder))) return;
        writeStored(path.join(folder, fileName(name, script)), code);
        keepNewest(folder, `${name}-`, KEPT_COPIES);
      } catch {
        // If the folder cannot be written, later starts are slower; nothing else changes.
      }
    },
  };
}

/**
 * Returns the folder of all caches, and the folder that must exist and belong to this user before anything is written.
 */
function baseFolder(environment: Environment): { readonly folder: string; readonly exists: string } {
  const own = environment['CAIRN_CODE_CACHE'] ?? '';
  if (own !== '') return { folder: own, exists: own };
  const named = environment['CAIRN_HOME'] ?? '';
  const home = named === '' ? path.join(homedir(), '.cairn') : named;
  return { folder: path.join(home, 'cache', 'code'), exists: home };
}

/** Returns the content of a file that ends with its digest. */
function readStored(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    if (!isPrivate(fstatSync(descriptor))) return undefined;
    const stored = readFileSync(descriptor);
    const code = stored.subarray(0, -DIGEST_BYTES);
    return digestOf(code).equals(stored.subarray(-DIGEST_BYTES)) ? code : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes a file in one step, so that a process that starts now reads all of it or nothing. */
function writeStored(file: string, code: Buffer): void {
  const draft = `${file}.${process.pid}.draft`;
  try {
    writeFileSync(draft, Buffer.concat([code, digestOf(code)]), { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function fileName(name: string, script: string): string {
  return `${name}-${digestOf(script).toString('hex').slice(0, 16)}`;
}

function digestOf(code: Buffer | string): Buffer {
  return createHash(DIGEST).update(code).digest();
}

function statOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch {
    return undefined;
  }
}

/** True if this user owns the file or folder and no other may write to it. */
function isPrivate(stats: Stats | undefined): boolean {
  return isOwn(stats) && (process.getuid === undefined || (stats.mode & 0o022) === 0);
}

/** True if this user owns the file or folder itself. Windows keeps homes private without Cairn. */
function isOwn(stats: Stats | undefined): stats is Stats {
  if (stats === undefined || stats.isSymbolicLink()) return false;
  return process.getuid === undefined || stats.uid === process.getuid();
}

/** Deletes all but the newest files and folders in a folder that begin with a text. */
function keepNewest(folder: string, start: string, count: number): void {
  const own = readdirSync(folder).filter((name) => name.startsWith(start));
  if (own.length <= count) return;
  const paths = own.map((name) => path.join(folder, name));
  const newestFirst = paths.sort((a, b) => (statOf(b)?.mtimeMs ?? 0) - (statOf(a)?.mtimeMs ?? 0));
  for (const old of newestFirst.slice(count)) rmSync(old, { recursive: true, force: true });
}
