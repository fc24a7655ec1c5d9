import Module from 'node:module';
import { dirname, isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { PathSettings } from './compiler-settings.js';
import { formatOf, isInstalled, TYPESCRIPT_EXTENSIONS, typeScriptCandidates } from './module-format.js';
import type { ModuleFormat } from './module-format.js';
import { pathCandidates } from './path-candidates.js';
import type { Transform } from './transform.js';

/** Parts of node's CommonJS loader that loaders have always hooked into. */
interface CommonJsLoader {
  readonly _extensions: Record<string, (module: LoadedModule, path: string) => void>;
  _resolveFilename(request: string, parent: unknown, isMain: boolean, options?: unknown): string;
}

interface LoadedModule {
  /** Value of `import.meta` in a source that is an ES module and was made into CommonJS. */
  importMeta?: SourceMeta;
  _compile(code: string, path: string, format?: string): void;
}

/**
 * Compiles a source. Named like node's own code: SDKs leave such frames out of the traces that they record for
 * resources.
 */
const compile = compileFunction(
  'module._compile(prepare(module, path), path, format(path));',
  ['prepare', 'format', 'module', 'path'],
  { filename: 'node:cairn/loader' },
) as (prepare: Prepare, format: (path: string) => ModuleFormat, module: LoadedModule, path: string) => void;

/** Returns the code of a module, and gives the module the values that the code needs. */
type Prepare = (module: LoadedModule, path: string) => string;

/** Metadata of a source. */
type SourceMeta = Readonly<Record<'url' | 'filename' | 'dirname', string>> & {
  resolve(specifier: string): string;
};

/**
 * Adds TypeScript to `require`: the extensions (so that imports without one and imports of directories find sources),
 * and names of JavaScript files that represent sources. Names that node does not find are looked up in `paths`, except
 * for installed packages. With `exclusive`, loaders that are registered later are ignored. `format` is the module
 * format that the transform gives a source.
 */
export function installCommonJsHooks(
  transform: Transform,
  format: (path: string) => ModuleFormat,
  paths?: PathSettings,
  exclusive: boolean = false,
): void {
  const loader = Module as unknown as CommonJsLoader;
  const prepare: Prepare = (module, path) => {
    if (format(path) !== formatOf(path)) module.importMeta = importMetaOf(path);
    return transform(path);
  };
  const load = compile.bind(undefined, prepare, format);
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

function importMetaOf(path: string): SourceMeta {
  const { resolve } = Module.createRequire(path);
  return {
    url: pathToFileURL(path).href,
    filename: path,
    dirname: dirname(path),
    resolve: (specifier) => {
      const found = resolve(specifier);
      return isAbsolute(found) ? pathToFileURL(found).href : found;
    },
  };
}

/** Sets a member for good: later assignments have no effect, and cause no error. */
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
