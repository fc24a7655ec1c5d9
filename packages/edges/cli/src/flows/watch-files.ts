import { readdirSync, statSync, watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import path from 'node:path';

/** Folders that are never watched, because tools write them, not users. */
const IGNORED: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'venv']);

/** Files and folders to watch. */
interface Watched {
  /** Absolute paths; a folder includes everything below it. */
  readonly paths: readonly string[];
  /** Absolute folders to skip. */
  readonly except: readonly string[];
}

/**
 * Calls back with the path of each file that changes. Folders that begin with a dot, and those of package managers, are
 * skipped. Returns a function that stops it. Throws the system's error for a path that cannot be watched.
 */
export function watchFiles({ paths, except }: Watched, changed: (file: string) => void): () => void {
  const open = new Map<string, FSWatcher>();
  const leftOut = (file: string): boolean => {
    const name = path.basename(file);
    return IGNORED.has(name) || name.startsWith('.') || except.includes(file);
  };
  const watchFolder = (folder: string, only?: string): void => {
    if (open.has(folder)) return;
    const watcher = watch(folder, (_kind, name) => {
      if (name === null) return;
      const file = path.join(folder, name);
      if (only !== undefined && file !== only) return;
      if (leftOut(file)) return;
      if (isFolder(file)) watchBelow(file);
      changed(file);
    });
    watcher.on('error', () => {
      watcher.close();
      open.delete(folder);
    });
    open.set(folder, watcher);
  };
  const watchBelow = (folder: string): void => {
    watchFolder(folder);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const inner = path.join(folder, entry.name);
      if (entry.isDirectory() && !leftOut(inner)) watchBelow(inner);
    }
  };
  for (const each of paths) {
    if (statSync(each).isDirectory()) watchBelow(each);
    else watchFolder(path.dirname(each), each);
  }
  return () => {
    for (const watcher of open.values()) watcher.close();
    open.clear();
  };
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}
