import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Files that a process loads once, by path, with a mark of their content. */
type CodeFiles = ReadonlyMap<string, string>;

const CODE = /\.[cm]?[jt]s$|^package\.json$/;
/** Programs run in processes of their own. */
const PROGRAMS = /^project\/index\.[cm]?[jt]s$/;

/** Lists the files below a folder that a provider in the process of a command may consist of. */
export function codeFilesOf(folder: string): CodeFiles {
  const files = new Map<string, string>();
  const visit = (inside: string): void => {
    for (const entry of readdirSync(path.join(folder, inside), { withFileTypes: true })) {
      const file = path.posix.join(inside, entry.name);
      if (entry.isDirectory()) visit(file);
      else if (entry.isFile() && CODE.test(entry.name) && !PROGRAMS.test(file)) {
        const { mtimeNs, size, ino } = statSync(path.join(folder, file), { bigint: true });
        files.set(file, `${mtimeNs} ${size} ${ino}`);
      }
    }
  };
  visit('');
  return files;
}

/** True if a process that has loaded the one files would miss a change in the others. */
export function isStale(loaded: CodeFiles, current: CodeFiles): boolean {
  return [...loaded].some(([file, content]) => current.get(file) !== content);
}
