import { createRequire } from 'node:module';
import type * as esbuildModule from 'esbuild';
import type { BuildResult, Message, Plugin } from 'esbuild';
import { hidingOwnSecrets } from '@cairn/values/own-secrets';
import { compilerSettings } from './compiler-settings.js';
import type { CompilerSettings } from './compiler-settings.js';
import type { LoaderSettings } from './loader-settings.js';

/** Module that a program wants to store. */
interface BundleRequest {
  /** Absolute path. */
  readonly file: string;
  /** Export to take from it. The bundle exports it as `provider`. */
  readonly exportName: string;
  /** Directory to which paths in the bundle are relative. */
  readonly directory: string;
  /** Package that is left out, and CommonJS code that replaces it. Only such a module allows importing all of it. */
  readonly standIn: { readonly name: string; readonly code: string };
}

/** Key under which programs find it. */
const PLACE = Symbol.for('cairn.loader.bundle');

/**
 * Lets the program bundle its own modules, with the settings that compile them. esbuild is loaded for the first bundle.
 */
export function offerBundles(settings: LoaderSettings): void {
  (globalThis as { [PLACE]?: (request: BundleRequest) => Promise<string> })[PLACE] = (request) =>
    bundle(request, settings);
}

/**
 * Returns an ES module with one export of a module and all its dependencies, including npm packages. The same sources
 * give the same text, wherever they are. If that is impossible, throws an Error that names the places.
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

/** Code that CommonJS packages in the bundle rely on. */
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
