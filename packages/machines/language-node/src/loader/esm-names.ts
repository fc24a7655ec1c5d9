import { pathToFileURL } from 'node:url';
import type { PathSettings } from './compiler-settings.js';
import { isInstalled, sourceFiles, typeScriptCandidates } from './module-format.js';
import { pathCandidates } from './path-candidates.js';

/**
 * Returns other names for an import that node does not find: `./a.ts` for `./a.js`, and targets of `paths` for other
 * names. Throws the error of node if it is about anything else.
 */
export function namesInstead(
  error: unknown,
  specifier: string,
  importer: string | undefined,
  paths: PathSettings | undefined,
): readonly string[] {
  if (!NOT_FOUND.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  if (isPath(specifier)) return typeScriptCandidates(specifier);
  if (isInstalled(importer)) return [];
  return pathCandidates(specifier, paths)
    .flatMap(sourceFiles)
    .map((path) => pathToFileURL(path).href);
}

/** Error codes of Node for a package that it does not find, or whose name is invalid. */
const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'ERR_INVALID_MODULE_SPECIFIER', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'];

const isPath = (specifier: string): boolean => /^(?:\.{1,2}\/|\/|file:)/.test(specifier);
