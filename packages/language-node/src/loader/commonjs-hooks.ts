import Module from 'node:module';
import { isAbsolute } from 'node:path';
import { formatOf, TYPESCRIPT_EXTENSIONS, typeScriptCandidates } from './module-format.js';
import type { Transform } from './transform.js';

/** The parts of node's CommonJS loader that loaders have always hooked into. */
interface CommonJsLoader {
  readonly _extensions: Record<string, (module: LoadedModule, path: string) => void>;
  _resolveFilename(request: string, parent: unknown, isMain: boolean, options?: unknown): string;
}

interface LoadedModule {
  _compile(code: string, path: string, format?: string): void;
}

/**
 * Teaches `require` TypeScript: the extensions (so that imports without one and imports of directories find sources), and
 * names of JavaScript files that stand for sources.
 */
export function installCommonJsHooks(transform: Transform): void {
  const loader = Module as unknown as CommonJsLoader;
  for (const extension of TYPESCRIPT_EXTENSIONS) {
    loader._extensions[extension] = (module, path) => {
      module._compile(transform(path), path, formatOf(path));
    };
  }
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (request, parent, isMain, options) {
    try {
      return resolve.call(this, request, parent, isMain, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND' || !isPath(request)) throw error;
      const found = firstOf(typeScriptCandidates(request), (candidate) =>
        resolve.call(this, candidate, parent, isMain, options),
      );
      if (found === undefined) throw error;
      return found;
    }
  };
}

const isPath = (request: string): boolean =>
  request.startsWith('./') || request.startsWith('../') || isAbsolute(request);

function firstOf(candidates: readonly string[], resolve: (candidate: string) => string): string | undefined {
  for (const candidate of candidates) {
    try {
      return resolve(candidate);
    } catch {
      continue;
    }
  }
  return undefined;
}
