import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { formatOf, isTypeScript, typeScriptCandidates } from './module-format.js';
import type { LoaderSettings } from './loader-settings.js';
import type { Transform } from './transform.js';
import { createTransform } from './transform.js';

let transform: Transform;

/** Called once by node, in the hooks' own thread. */
export const initialize: InitializeHook<LoaderSettings> = (settings) => {
  transform = createTransform(settings);
};

/** Lets `./a.js` mean `./a.ts` when there is no `./a.js`. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' || !isPath(specifier)) throw error;
    for (const candidate of typeScriptCandidates(specifier)) {
      const found = await Promise.resolve(next(candidate, context)).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
};

/** Loads TypeScript sources. Those that are CommonJS are left to `require`, which has its own hooks. */
export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith('file:')) return next(url, context);
  const path = fileURLToPath(url);
  if (!isTypeScript(path)) return next(url, context);
  return formatOf(path) === 'commonjs'
    ? { format: 'commonjs', shortCircuit: true }
    : { format: 'module', source: transform(path), shortCircuit: true };
};

const isPath = (specifier: string): boolean => /^(?:\.{1,2}\/|\/|file:)/.test(specifier);
