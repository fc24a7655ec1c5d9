import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type esbuildModule from 'esbuild';
import { hidingOwnSecrets } from '@cairn/values/own-secrets';
import { compilerSettings } from './compiler-settings.js';
import type { CompilerSettings } from './compiler-settings.js';
import { keepModuleIdentity } from './interop.js';
import type { LoaderSettings } from './loader-settings.js';
import { formatOf, isTypeScript } from './module-format.js';
import type { ModuleFormat } from './module-format.js';
import { cacheKey, openTransformCache } from './transform-cache.js';
import { isCompiledBy, transpileWithTypeScript } from './typescript-compiler.js';

type Esbuild = typeof esbuildModule;

/** Transpiles one file without looking at types. Returns JavaScript with an inline source map. */
export type Transform = (path: string) => string;

/** Text before the map, in base64, at the end of a transpiled file. */
export const MAP_COMMENT = '//# sourceMappingURL=data:application/json;base64,';

/** Incremented when the same esbuild would transpile the same source to something else. */
const LOADER_VERSION = '7';

/**
 * Makes the transform. esbuild is loaded only when a file is not in the cache. One start of it then transpiles the
 * file's neighbours too, because a program's files are loaded one after the other. Throws SyntaxError
 * (syntax-error.ts). `format` is the target format of a file. An ES module that is made into CommonJS finds its
 * `import.meta` as `module.importMeta`.
 */
export function createTransform(
  settings: LoaderSettings,
  format: (path: string) => ModuleFormat = formatOf,
): Transform {
  const require = createRequire(import.meta.url);
  const cache = openTransformCache(settings.cacheDirectory);
  const version = (require('esbuild/package.json') as { version: string }).version;
  const compiler = settings.compiler ?? compilerSettings({});
  const { typescript } = compiler;
  const settingsText = JSON.stringify([compiler.options, compiler.typescript]);
  // The compiler of an SDK would treat default imports differently from ES modules.
  const isCompiled = (path: string): boolean =>
    format(path) === formatOf(path) && isCompiledBy(typescript, path);
  const keyOf = (path: string): string =>
    cacheKey([
      LOADER_VERSION,
      version,
      formatOf(path),
      format(path),
      basename(path),
      settingsText,
      readFileSync(path, 'utf8'),
    ]);
  const ready = new Map<string, string>();
  const done = new Set<string>();
  /** Returns neighbours of a file that have no result yet, at most one batch of them. */
  const undone = (path: string): readonly string[] => {
    const found: string[] = [];
    for (const other of neighboursOf(path)) {
      if (found.length === MOST_NEIGHBOURS) break;
      if (done.has(other) || isCompiled(other)) continue;
      if (cache.get(keyOf(other)) === undefined) found.push(other);
      else done.add(other);
    }
    return found;
  };
  return (path) => {
    const key = keyOf(path);
    const kept = ready.get(key) ?? cache.get(key);
    if (kept !== undefined) return kept;
    const code =
      typescript !== undefined && isCompiled(path) ? transpileWithTypeScript(path, typescript) : undefined;
    if (code !== undefined) {
      ready.set(key, code);
      cache.put(key, code);
      return code;
    }
    const into = format(path);
    for (const [file, code] of transpileAll(
      loadEsbuild(require),
      path,
      undone(path),
      into,
      compiler.options,
    )) {
      const fileKey = file === path ? key : keyOf(file);
      ready.set(fileKey, code);
      cache.put(fileKey, code);
      done.add(file);
    }
    return ready.get(key) as string;
  };
}

/** Most files of one directory that are transpiled together. */
const MOST_NEIGHBOURS = 40;

/** Returns sources beside a file that node would load in the same format. */
function neighboursOf(path: string): readonly string[] {
  const directory = dirname(path);
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isTypeScript(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name))
    .map((entry) => join(directory, entry.name))
    .filter((other) => other !== path && formatOf(other) === formatOf(path));
}

let esbuild: Esbuild | undefined;

/**
 * Loads esbuild without its worker thread, which costs a start and only pays off for many calls. One short process is
 * cheaper here.
 */
function loadEsbuild(require: NodeRequire): Esbuild {
  if (esbuild !== undefined) return esbuild;
  const before = process.env['ESBUILD_WORKER_THREADS'];
  process.env['ESBUILD_WORKER_THREADS'] = '0';
  esbuild = require('esbuild') as Esbuild;
  if (before === undefined) delete process.env['ESBUILD_WORKER_THREADS'];
  else process.env['ESBUILD_WORKER_THREADS'] = before;
  return esbuild;
}

/** Returns code by path. Neighbours that do not parse must not be in the way: the file is then transpiled alone. */
function transpileAll(
  tool: Esbuild,
  path: string,
  neighbours: readonly string[],
  into: ModuleFormat,
  options: CompilerSettings['options'],
): ReadonlyMap<string, string> {
  try {
    return transpile(tool, [path, ...neighbours], into, options);
  } catch (error) {
    if (neighbours.length > 0) return transpileAll(tool, path, [], into, options);
    throw asSyntaxError(error, path);
  }
}

/** Transpiles files of one format into one format. */
function transpile(
  tool: Esbuild,
  paths: readonly string[],
  into: ModuleFormat,
  options: CompilerSettings['options'],
): ReadonlyMap<string, string> {
  const isConverted = formatOf(paths[0] as string) !== into;
  const build = () =>
    tool.buildSync({
      entryPoints: paths.map((path, index) => ({ in: path, out: String(index) })),
      outdir: OUT,
      write: false,
      bundle: false,
      format: into === 'module' ? 'esm' : 'cjs',
      ...(isConverted ? { define: { 'import.meta': 'module.importMeta' } } : {}),
      platform: 'node',
      target: 'node20.19',
      sourcemap: 'external',
      charset: 'utf8',
      logLevel: 'silent',
      // Replaces the files that esbuild would look for by itself.
      tsconfigRaw: { compilerOptions: options },
    });
  const { outputFiles } = hidingOwnSecrets(build);
  const texts = new Map(outputFiles.map((file) => [basename(file.path), file.text]));
  return new Map(
    paths.map((path, index) => [
      path,
      withMap(texts.get(`${index}.js`) ?? '', texts.get(`${index}.js.map`) ?? '{}', path, into),
    ]),
  );
}

/** Output directory for esbuild. Nothing is written. */
const OUT = join(tmpdir(), 'out');

function withMap(code: string, map: string, path: string, format: ModuleFormat): string {
  // The source is at the path of the file that node takes it for.
  const located = { ...(JSON.parse(map) as object), sources: [basename(path)] };
  const body = format === 'commonjs' ? keepModuleIdentity(code) : code;
  return `${body.trimEnd()}\n${MAP_COMMENT}${Buffer.from(JSON.stringify(located)).toString('base64')}\n`;
}

interface Problem {
  readonly text: string;
  readonly location: { readonly line: number; readonly column: number; readonly lineText: string } | null;
}

/**
 * Makes the error of a file that does not parse: `<file>:<line>:<column>: <what>` and the line with a mark under the
 * place. Lines and columns count from 1. Returns anything but esbuild's report of problems unchanged. Libraries that
 * drive the command line look for the text in front of TypeScript errors.
 */
function asSyntaxError(error: unknown, path: string): unknown {
  const problems = (error as { errors?: readonly Problem[] } | null)?.errors;
  if (!Array.isArray(problems) || problems.length === 0) return error;
  const front = /\.[cm]?tsx?$/.test(path) ? 'Unable to compile TypeScript: ' : '';
  return new SyntaxError(
    front + (problems as readonly Problem[]).map((problem) => describe(problem, path)).join('\n'),
  );
}

function describe({ text, location }: Problem, path: string): string {
  if (location === null) return `${path}: ${text}`;
  const number = String(location.line);
  const before = location.lineText.slice(0, location.column).replace(/[^\t]/g, ' ');
  return [
    `${path}:${location.line}:${location.column + 1}: ${text}`,
    `  ${number} | ${location.lineText}`,
    `  ${' '.repeat(number.length)} | ${before}^`,
  ].join('\n');
}
