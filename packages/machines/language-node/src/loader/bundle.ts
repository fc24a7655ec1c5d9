import { createRequire } from 'node:module';
import type * as esbuildModule from 'esbuild';
import type { BuildResult, Message, Plugin } from 'esbuild';
import { hidingOwnSecrets } from '@cairn/values/own-secrets';
import { compilerSettings } from './compiler-settings.js';
import type { CompilerSettings } from './compiler-settings.js';
import type { LoaderSettings } from './loader-settings.js';

/** A module that a program wants to have stored. */
interface BundleRequest {
  /** Absolute path. */
  readonly file: string;
  /** The export that is wanted of it: that of the bundle is called `provider`. */
  readonly exportName: string;
  /** What paths in the bundle are relative to. */
  readonly directory: string;
  /** A package that is left out, and CommonJS code that stands for it: only of such a module all may be imported. */
  readonly standIn: { readonly name: string; readonly code: string };
}

/** Where programs find it. */
const PLACE = Symbol.for('cairn.loader.bundle');

/**
 * Lets the program bundle its own modules, under the settings that they are compiled by. esbuild is loaded when the
 * first one is bundled.
 */
export function offerBundles(settings: LoaderSettings): void {
  (globalThis as { [PLACE]?: (request: BundleRequest) => Promise<string> })[PLACE] = (request) =>
    bundle(request, settings);
}

/**
 * An ES module with one export of a module and everything that it needs, npm packages included. The same sources give
 * the same text, wherever they are. Throws an Error that names the places where that is not possible.
 */
async function bundle(
  { file, exportName, directory, standIn }: BundleRequest,
  { compiler = compilerSettings({}) }: LoaderSettings,
): Promise<string> {
  const { build } = createRequire(import.meta.url)('esbuild') as typeof esbuildModule;
  const start = () =>
    build({
      stdin: {
        contents: `export { ${JSON.stringify(exportName)} as provider } from ${JSON.stringify(file)};`,
        resolveDir: directory,
      },
      absWorkingDir: directory,
      outfile: 'stored.mjs',
      write: false,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      charset: 'utf8',
      legalComments: 'none',
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'silent',
      banner: { js: REQUIRE },
      plugins: [inPlace(standIn)],
      tsconfigRaw: { compilerOptions: { ...compiler.options, ...pathsOf(compiler) } },
    });
  const result = await hidingOwnSecrets(start).catch((error: unknown) => {
    throw new Error(problems(error), { cause: error });
  });
  return (result as BuildResult<{ write: false }>).outputFiles[0]?.text ?? '';
}

function inPlace({ name, code }: BundleRequest['standIn']): Plugin {
  return {
    name: 'stand-in',
    setup(context) {
      context.onResolve({ filter: /^[^./]/ }, ({ path }) =>
        path === name || path.startsWith(`${name}/`) ? { path: name, namespace: 'stand-in' } : undefined,
      );
      context.onLoad({ filter: /.*/, namespace: 'stand-in' }, () => ({ contents: code }));
    },
  };
}

function pathsOf({ paths }: CompilerSettings): object {
  if (paths === undefined) return {};
  const { patterns, baseUrl } = paths;
  return { paths: patterns, ...(baseUrl === undefined ? {} : { baseUrl }) };
}

/** What CommonJS packages in the bundle expect to find around them. */
const REQUIRE = [
  `import { createRequire as __cairnRequire } from 'node:module';`,
  `const require = __cairnRequire(import.meta.url);`,
].join('\n');

function problems(error: unknown): string {
  const { errors } = error as { errors?: readonly Message[] };
  if (!Array.isArray(errors)) return error instanceof Error ? error.message : String(error);
  return (errors as readonly Message[])
    .map(({ text, location }) =>
      location === null ? text : `${location.file}:${location.line}:${location.column + 1}: ${text}`,
    )
    .join('; ');
}
