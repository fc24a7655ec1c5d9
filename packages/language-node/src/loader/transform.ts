import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { keepModuleIdentity } from './interop.js';
import type { LoaderSettings } from './loader-settings.js';
import type { ModuleFormat } from './module-format.js';
import { formatOf } from './module-format.js';
import { asSyntaxError } from './syntax-error.js';
import { cacheKey, openTransformCache } from './transform-cache.js';
import { tsconfigTexts } from './tsconfig-texts.js';

/** Transpiles one file without looking at types. Returns JavaScript with an inline source map. */
export type Transform = (path: string) => string;

/** Before the map, in base64, at the end of a transpiled file. */
export const MAP_COMMENT = '//# sourceMappingURL=data:application/json;base64,';

/** Counts up when the same source would be transpiled to something else by the same esbuild. */
const LOADER_VERSION = '2';

/** Makes the transform. esbuild is loaded only when a file is not in the cache. Throws SyntaxError (syntax-error.ts). */
export function createTransform(settings: LoaderSettings): Transform {
  const require = createRequire(import.meta.url);
  const cache = openTransformCache(settings.cacheDirectory);
  const version = (require('esbuild/package.json') as { version: string }).version;
  return (path) => {
    const format = formatOf(path);
    const source = readFileSync(path, 'utf8');
    const texts = tsconfigTexts(path, settings.tsconfig);
    const key = cacheKey([LOADER_VERSION, version, format, basename(path), ...texts, source]);
    const kept = cache.get(key);
    if (kept !== undefined) return kept;
    const code = transpile(loadEsbuild(require), path, format, settings.tsconfig);
    cache.put(key, code);
    return code;
  };
}

let esbuild: typeof import('esbuild') | undefined;

/** esbuild's worker thread pays off for many files only and costs a start; one short process a file is cheaper here. */
function loadEsbuild(require: NodeRequire): typeof import('esbuild') {
  if (esbuild !== undefined) return esbuild;
  const before = process.env['ESBUILD_WORKER_THREADS'];
  process.env['ESBUILD_WORKER_THREADS'] = '0';
  esbuild = require('esbuild') as typeof import('esbuild');
  if (before === undefined) delete process.env['ESBUILD_WORKER_THREADS'];
  else process.env['ESBUILD_WORKER_THREADS'] = before;
  return esbuild;
}

function transpile(
  tool: typeof import('esbuild'),
  path: string,
  format: ModuleFormat,
  tsconfig: string | undefined,
): string {
  const output = build(tool, path, format, tsconfig);
  const code = output.find((file) => !file.path.endsWith('.map'))?.text ?? '';
  const map = JSON.parse(output.find((file) => file.path.endsWith('.map'))?.text ?? '{}') as object;
  // The source is where the file is that node believes to load.
  const inline = Buffer.from(JSON.stringify({ ...map, sources: [basename(path)] })).toString('base64');
  const body = format === 'commonjs' ? keepModuleIdentity(code) : code;
  return `${body.trimEnd()}\n${MAP_COMMENT}${inline}\n`;
}

function build(
  tool: typeof import('esbuild'),
  path: string,
  format: ModuleFormat,
  tsconfig: string | undefined,
): readonly { readonly path: string; readonly text: string }[] {
  try {
    return tool.buildSync({
      entryPoints: [path],
      outdir: '/out',
      write: false,
      bundle: false,
      format: format === 'module' ? 'esm' : 'cjs',
      platform: 'node',
      target: 'node20',
      sourcemap: 'external',
      sourcesContent: true,
      keepNames: false,
      charset: 'utf8',
      logLevel: 'silent',
      ...(tsconfig === undefined ? {} : { tsconfig }),
    }).outputFiles;
  } catch (error) {
    throw asSyntaxError(error, path);
  }
}
