import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type ts from 'typescript';

/**
 * Everything that a compiler has read from the disk, with the answers. While all answers stay the same, the compiler
 * would find the same again. Paths are absolute. Plain JSON.
 */
export interface SeenFiles {
  /** The program's own files, by the digest of their content. */
  readonly texts: Readonly<Record<string, string>>;
  /** Files of installed packages, by size and time. */
  readonly stamps: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** Paths that are not a file, and paths that are not a folder. Paths below the latter are left out. */
  readonly noFiles: readonly string[];
  readonly noFolders: readonly string[];
  /** Folders, by the digest of the names in them. */
  readonly listings: Readonly<Record<string, string>>;
  /** Paths that lead elsewhere, and their targets. */
  readonly links: Readonly<Record<string, string>>;
}

/**
 * Records all lookups of a compiler from now on. The returned function returns the lookups so far, or undefined when
 * they are incomplete.
 */
export function recordLookups(sys: ts.System): () => SeenFiles | undefined {
  const texts = new Map<string, string>();
  const stamps = new Map<string, string>();
  const isFile = new Map<string, boolean>();
  const isFolder = new Map<string, boolean>();
  const listings = new Map<string, string>();
  const links = new Map<string, string>();
  let complete = true;
  const { readFile, fileExists, directoryExists, getDirectories, readDirectory, realpath } = sys;
  const list = (folder: string): void => void (listings.has(folder) || listings.set(folder, listing(folder)));
  sys.readFile = (path, encoding) => {
    const [kind, print] = isInstalled(path) ? [stamps, stampOf] : [texts, digestOf];
    if (!kind.has(path)) {
      const seen = print(path);
      if (seen === undefined) isFile.set(path, false);
      else kind.set(path, seen);
    }
    return readFile(path, encoding);
  };
  sys.fileExists = (path) => noted(isFile, path, fileExists(path));
  sys.directoryExists = (path) => noted(isFolder, path, directoryExists(path));
  sys.getDirectories = (path) => {
    list(path);
    return getDirectories(path);
  };
  sys.readDirectory = (path, ...rest) => {
    const folders = new Set(foldersBelow(path));
    for (const folder of folders) list(folder);
    const found = readDirectory(path, ...rest);
    if (found.some((file) => !folders.has(dirname(file)))) complete = false;
    return found;
  };
  if (realpath !== undefined)
    sys.realpath = (path) => {
      const real = realpath(path);
      if (real !== path) links.set(path, real);
      return real;
    };
  return () => {
    if (!complete) return undefined;
    const read = (path: string): boolean => texts.has(path) || stamps.has(path);
    const where = (answers: ReadonlyMap<string, boolean>, answer: boolean): readonly string[] =>
      [...answers].filter(([path, given]) => given === answer && !read(path)).map(([path]) => path);
    const missing = new Set(where(isFolder, false));
    const known = (path: string): boolean => !below(missing, path);
    return {
      texts: Object.fromEntries(texts),
      stamps: Object.fromEntries(stamps),
      files: where(isFile, true),
      folders: where(isFolder, true),
      noFiles: where(isFile, false).filter(known),
      noFolders: [...missing].filter(known),
      listings: Object.fromEntries(listings),
      links: Object.fromEntries(links),
    };
  };
}

/** Returns true if every answer is still the same. */
export function isUnchanged(seen: SeenFiles): boolean {
  return (
    Object.entries(seen.texts).every(([path, digest]) => digestOf(path) === digest) &&
    Object.entries(seen.stamps).every(([path, stamp]) => stampOf(path) === stamp) &&
    seen.files.every((path) => kindOf(path) === 'file') &&
    seen.folders.every((path) => kindOf(path) === 'folder') &&
    seen.noFiles.every((path) => kindOf(path) !== 'file') &&
    seen.noFolders.every((path) => kindOf(path) !== 'folder') &&
    Object.entries(seen.listings).every(([path, names]) => listing(path) === names) &&
    Object.entries(seen.links).every(([path, real]) => realOf(path) === real)
  );
}

function noted<T>(answers: Map<string, T>, path: string, answer: T): T {
  answers.set(path, answer);
  return answer;
}

const isInstalled = (path: string): boolean => path.includes('/node_modules/');

function digestOf(path: string): string | undefined {
  try {
    return digest(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** Returns size and time of a file. An installation of packages writes new ones. */
export function stampOf(path: string): string | undefined {
  const stat = statOf(path);
  return stat?.isFile() === true ? `${stat.size} ${stat.mtimeMs}` : undefined;
}

function kindOf(path: string): 'file' | 'folder' | 'none' {
  const stat = statOf(path);
  return stat === undefined ? 'none' : stat.isDirectory() ? 'folder' : 'file';
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function listing(folder: string): string {
  return digest(
    entriesOf(folder)
      .map(({ name }) => name)
      .sort()
      .join('\n'),
  );
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/**
 * Returns a folder and those in it at any depth, except packages and hidden ones, which patterns of a tsconfig leave
 * out.
 */
function foldersBelow(folder: string): readonly string[] {
  const inside = entriesOf(folder)
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name));
  return [folder, ...inside.flatMap(foldersBelow)];
}

/** Returns true if a path is below one of the folders. */
function below(folders: ReadonlySet<string>, path: string): boolean {
  for (let parent = dirname(path); parent !== dirname(parent); parent = dirname(parent))
    if (folders.has(parent)) return true;
  return false;
}

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
