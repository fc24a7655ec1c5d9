import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';

/** Format in which node treats a file. */
export type ModuleFormat = 'commonjs' | 'module';

/** Extensions of TypeScript sources, in the order in which an import without extension tries them. */
export const TYPESCRIPT_EXTENSIONS = ['.ts', '.tsx', '.cts', '.mts'] as const;

/**
 * Returns true if a file is a TypeScript source. Declaration files contain nothing to run but count, so that the error
 * says so.
 */
export function isTypeScript(path: string): boolean {
  return (TYPESCRIPT_EXTENSIONS as readonly string[]).includes(extname(path));
}

const typeByDirectory = new Map<string, ModuleFormat>();

/**
 * Returns the format of a TypeScript or JavaScript file: by its extension, else by the `type` of the nearest
 * package.json.
 */
export function formatOf(path: string): ModuleFormat {
  const extension = extname(path);
  if (extension === '.mts' || extension === '.mjs') return 'module';
  if (extension === '.cts' || extension === '.cjs') return 'commonjs';
  return packageType(dirname(path));
}

function packageType(directory: string): ModuleFormat {
  const known = typeByDirectory.get(directory);
  if (known !== undefined) return known;
  const parent = dirname(directory);
  const type = declaredType(directory) ?? (parent === directory ? 'commonjs' : packageType(parent));
  typeByDirectory.set(directory, type);
  return type;
}

/**
 * Returns undefined if there is no package.json here. A damaged one counts as one without a type; node itself reports
 * it.
 */
function declaredType(directory: string): ModuleFormat | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, 'package.json'), 'utf8');
  } catch {
    return undefined;
  }
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === 'module' ? 'module' : 'commonjs';
  } catch {
    return 'commonjs';
  }
}

/** Returns sources that an import of a JavaScript file name may mean, e.g. `./a.js` → `./a.ts`, `./a.tsx`. */
export function typeScriptCandidates(path: string): readonly string[] {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  switch (extension) {
    case '.js':
      return [`${stem}.ts`, `${stem}.tsx`];
    case '.jsx':
      return [`${stem}.tsx`];
    case '.mjs':
      return [`${stem}.mts`];
    case '.cjs':
      return [`${stem}.cts`];
    default:
      return [];
  }
}

/**
 * Returns files that a path without a known ending may mean in a program's tsconfig: the file, its source, or a
 * directory's.
 */
export function sourceFiles(path: string): readonly string[] {
  const endings = [...TYPESCRIPT_EXTENSIONS, '.js', '.mjs', '.cjs', '.json'];
  return [
    path,
    ...typeScriptCandidates(path),
    ...endings.map((ending) => `${path}${ending}`),
    ...endings.map((ending) => join(path, `index${ending}`)),
  ].filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Returns true if a file, by path or URL, is part of an installed package. */
export function isInstalled(file: unknown): boolean {
  return typeof file === 'string' && /[/\\]node_modules[/\\]/.test(file);
}
