import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { ProgramInfo } from '@cairn/wire';
import { formatOf } from './loader/module-format.js';
import type { PackageManifest } from './package-manifest.js';
import { nearestManifest } from './package-manifest.js';

/** Place where a program starts [PRG-4]. */
export interface EntryPoint {
  /** Absolute path of the file, or of the directory when no file was found in it. */
  readonly path: string;
  readonly isModule: boolean;
  readonly manifest: PackageManifest | undefined;
}

/** Finds the entry point. A file that does not exist stays as named: the SDK's own message about it is better. */
export function findEntryPoint(info: ProgramInfo): EntryPoint {
  const named = isAbsolute(info.entryPoint) ? info.entryPoint : join(info.programDirectory, info.entryPoint);
  const manifest = nearestManifest(kindOf(named) === 'directory' ? named : dirname(named));
  const declared = info.entryPoint === '.' ? declaredEntry(manifest) : undefined;
  const start = declared !== undefined && kindOf(declared) !== 'none' ? declared : named;
  const path = kindOf(start) === 'directory' ? (indexFile(start) ?? start) : start;
  const isModule = formatOf(kindOf(path) === 'directory' ? join(path, 'index') : path) === 'module';
  return { path, isModule, manifest };
}

/** Returns the entry that package.json declares: `exports`, then `main`. */
function declaredEntry(manifest: PackageManifest | undefined): string | undefined {
  if (manifest === undefined) return undefined;
  const entry = exported(manifest.data['exports']) ?? manifest.data['main'];
  return typeof entry === 'string' && entry !== '' ? join(manifest.directory, entry) : undefined;
}

function exported(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  const main = (exports as Record<string, unknown> | undefined)?.['.'];
  if (typeof main === 'string') return main;
  const conditions = main as Record<string, unknown> | undefined;
  const chosen = conditions?.['default'] ?? conditions?.['require'] ?? conditions?.['import'];
  return typeof chosen === 'string' ? chosen : undefined;
}

const INDEX_FILES = ['index.js', 'index.mjs', 'index.cjs', 'index.ts', 'index.mts', 'index.cts', 'index.tsx'];

function indexFile(directory: string): string | undefined {
  return INDEX_FILES.map((name) => join(directory, name)).find((path) => kindOf(path) === 'file');
}

function kindOf(path: string): 'file' | 'directory' | 'none' {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : stat.isDirectory() ? 'directory' : 'file';
}
