import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { RunError } from '../resource/resource-error.js';

const INDEX_FILES = ['index.ts', 'index.mts', 'index.cts', 'index.js', 'index.mjs', 'index.cjs'];

/**
 * Returns the path of the program's entry file. A file is used as it is. For a directory, `exports` or `main` of the
 * nearest `package.json` upwards names it; without these, it is the index file of the directory. Throws
 * {@link RunError} if there is none.
 */
// [PRG-4]
export function entryFile(program: string): string {
  const start = path.resolve(program);
  const exact = asFile(start);
  if (exact !== undefined) return exact;
  if (!existsSync(start))
    throw new RunError(`the program ${start} does not exist; check "main" in the project file`);
  const named = namedByPackage(start);
  const found =
    named === undefined ? indexOf(start) : (asFile(named) ?? indexOf(named) ?? withExtension(named));
  if (found !== undefined) return found;
  throw new RunError(
    named === undefined
      ? `there is no program in ${start}: expected ${INDEX_FILES[0]} or ${INDEX_FILES[3]}, or "main" in package.json`
      : `the entry ${named} that package.json names does not exist`,
  );
}

function namedByPackage(start: string): string | undefined {
  for (let directory = start; ; directory = path.dirname(directory)) {
    const file = path.join(directory, 'package.json');
    if (existsSync(file)) {
      const { exports, main } = JSON.parse(readFileSync(file, 'utf8')) as {
        exports?: unknown;
        main?: unknown;
      };
      const entry = exported(exports) ?? (typeof main === 'string' ? main : undefined);
      return entry === undefined ? undefined : path.resolve(directory, entry);
    }
    if (path.dirname(directory) === directory) return undefined;
  }
}

/** Reads `exports` as a text, or its `.` entry as a text or by condition. */
function exported(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const record = exports as Record<string, unknown>;
  if ('.' in record) return exported(record['.']);
  return exported(record['import'] ?? record['default'] ?? record['require']);
}

function indexOf(directory: string): string | undefined {
  return INDEX_FILES.map((name) => path.join(directory, name)).find((file) => asFile(file) !== undefined);
}

function withExtension(stem: string): string | undefined {
  return ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']
    .map((extension) => stem + extension)
    .find((file) => asFile(file) !== undefined);
}

function asFile(file: string): string | undefined {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined;
}
