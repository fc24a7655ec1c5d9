import Module from 'node:module';
import { isAbsolute } from 'node:path';
import { compileFunction } from 'node:vm';
import type { PathSettings } from './compiler-settings.js';
import { formatOf, isInstalled, TYPESCRIPT_EXTENSIONS, typeScriptCandidates } from './module-format.js';
import { pathCandidates } from './path-candidates.js';
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
 * Compiles a source. Named like node's own code: SDKs leave such frames out of the traces that they record for
 * resources.
 */
const compile = compileFunction(
  'module._compile(transform(path), path, formatOf(path));',
  ['transform', 'formatOf', 'module', 'path'],
  { filename: 'node:cairn/loader' },
) as (t: Transform, f: typeof formatOf, module: LoadedModule, path: string) => void;

/**
 * Teaches `require` TypeScript: the extensions (so that imports without one and imports of directories find sources),
 * and names of JavaScript files that stand for sources. Names that node finds nothing for are looked up by `paths`,
 * except for installed packages. With `exclusive`, loaders that are registered later are left out.
 */
export function installCommonJsHooks(
  transform: Transform,
  paths?: PathSettings,
  exclusive: boolean = false,
): void {
  const loader = Module as unknown as CommonJsLoader;
  const load = compile.bind(undefined, transform, formatOf);
  for (const extension of TYPESCRIPT_EXTENSIONS) {
    if (exclusive) keep(loader._extensions, extension, load);
    else loader._extensions[extension] = load;
  }
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (request, parent, isMain, options) {
    try {
      return resolve.call(this, request, parent, isMain, options);
    } catch (error) {
      if (!NOT_FOUND.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      const importer = (parent as { filename?: unknown } | undefined)?.filename;
      const mapped = isPath(request) || isInstalled(importer) ? [request] : pathCandidates(request, paths);
      const candidates = mapped.flatMap((path) => [path, ...typeScriptCandidates(path)]);
      const found = firstOf(candidates, (candidate) =>
        resolve.call(this, candidate, parent, isMain, options),
      );
      if (found === undefined) throw error;
      return found;
    }
  };
}

/** Sets a member for good: who assigns to it later has no effect, and is not told. */
function keep<V>(record: Record<string, V>, key: string, value: V): void {
  Object.defineProperty(record, key, {
    enumerable: true,
    configurable: true,
    get: () => value,
    set: () => undefined,
  });
}

const NOT_FOUND = ['MODULE_NOT_FOUND', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'];

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
