import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { PathSettings } from './compiler-settings.js';
import { pathCandidates } from './path-candidates.js';
import { formatOf, isInstalled, isTypeScript, sourceFiles, typeScriptCandidates } from './module-format.js';
import type { LoaderSettings } from './loader-settings.js';
import type { Transform } from './transform.js';
import { createTransform } from './transform.js';

let transform: Transform;
let paths: PathSettings | undefined;

/** Called once by node, in the hooks' own thread. */
export const initialize: InitializeHook<LoaderSettings> = (settings) => {
  transform = createTransform(settings);
  paths = settings.compiler?.paths;
};

/** Lets `./a.js` mean `./a.ts` when there is no `./a.js`, and names that node finds nothing for what `paths` says. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    if (!NOT_FOUND.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    for (const candidate of candidatesOf(specifier, context.parentURL)) {
      const found = await Promise.resolve(next(candidate, context)).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
};

function candidatesOf(specifier: string, importer: string | undefined): readonly string[] {
  if (isPath(specifier)) return typeScriptCandidates(specifier);
  if (isInstalled(importer)) return [];
  return pathCandidates(specifier, paths)
    .flatMap(sourceFiles)
    .map((path) => pathToFileURL(path).href);
}

/** Loads TypeScript sources. Those that are CommonJS are left to `require`, which has its own hooks. */
export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:')) return next(url, context);
  const path = fileURLToPath(url);
  if (!isTypeScript(path)) return next(url, context);
  return formatOf(path) === 'commonjs'
    ? { format: 'commonjs', shortCircuit: true }
    : { format: 'module', source: transform(path), shortCircuit: true };
};

/** What node says about a name that it finds nothing for, or that is no package's name. */
const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'ERR_INVALID_MODULE_SPECIFIER', 'ERR_PACKAGE_IMPORT_NOT_DEFINED'];

const isPath = (specifier: string): boolean => /^(?:\.{1,2}\/|\/|file:)/.test(specifier);
