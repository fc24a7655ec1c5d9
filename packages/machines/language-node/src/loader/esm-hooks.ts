import Module from 'node:module';
import type { InitializeHook, LoadFnOutput, LoadHook, ResolveFnOutput, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PathSettings } from './compiler-settings.js';
import { namesInstead } from './esm-names.js';
import { installInnerHooks } from './inner-loader.js';
import { formatOf, isTypeScript } from './module-format.js';
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

/** Resolves `./a.js` to `./a.ts` when there is no `./a.js`, and names that node does not find by `paths`. */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    for (const candidate of namesInstead(error, specifier, context.parentURL, paths)) {
      const found = await Promise.resolve(next(candidate, context)).catch(() => undefined);
      if (found !== undefined) return found;
    }
    throw error;
  }
};

/** Loads TypeScript sources. */
export const load: LoadHook = async (url, context, next) => sourceOf(url, transform) ?? next(url, context);

/** Returns a TypeScript source. One that is CommonJS is left to `require`, which has its own hooks. */
function sourceOf(url: string, compile: Transform): LoadFnOutput | undefined {
  const path = url.startsWith('file:') ? fileURLToPath(url) : undefined;
  if (path === undefined || !isTypeScript(path)) return undefined;
  return formatOf(path) === 'commonjs'
    ? { format: 'commonjs', shortCircuit: true }
    : { format: 'module', source: compile(path), shortCircuit: true };
}

type Next<C, R> = (name: string, context?: C) => R;

/** Hooks that newer versions of Node have in place of a thread. */
interface SyncHooks {
  resolve(
    specifier: string,
    context: Parameters<ResolveHook>[1],
    next: Next<Parameters<ResolveHook>[1], ResolveFnOutput>,
  ): ResolveFnOutput;
  load(
    url: string,
    context: Parameters<LoadHook>[1],
    next: Next<Parameters<LoadHook>[1], LoadFnOutput>,
  ): LoadFnOutput;
}

/**
 * Puts the same hooks into this thread. Returns false if this node cannot. `moveToThread` starts a thread with them, on
 * nodes where hooks that other code registers later need it.
 */
export function installEsmHooks(
  compile: Transform,
  names: PathSettings | undefined,
  moveToThread: () => void,
): boolean {
  const resolveBy = (
    specifier: string,
    importer: string | undefined,
    next: (name: string) => ResolveFnOutput,
  ): ResolveFnOutput => {
    try {
      return next(specifier);
    } catch (error) {
      for (const candidate of namesInstead(error, specifier, importer, names)) {
        try {
          return next(candidate);
        } catch {
          continue;
        }
      }
      throw error;
    }
  };
  const { registerHooks } = Module as unknown as { registerHooks?: (hooks: SyncHooks) => void };
  if (registerHooks === undefined)
    return installInnerHooks({ resolve: resolveBy, load: (url) => sourceOf(url, compile), moveToThread });
  registerHooks({
    resolve: (specifier, context, next) =>
      resolveBy(specifier, context.parentURL, (name) => next(name, context)),
    load: (url, context, next) => sourceOf(url, compile) ?? next(url, context),
  });
  return true;
}
